#pragma once
// Tables of text.

#include <string>
#include <vector>

namespace meshmul {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell, two spaces apart; no spaces at the end of a line.
std::string text_table(const std::vector<Row>& rows);

/// A table of Markdown. A bar in a cell is escaped.
std::string markdown_table(const Row& head, const std::vector<Row>& rows);

}  // namespace meshmul
