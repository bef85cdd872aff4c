#pragma once
// Parts of a document in Markdown.

#include <string>
#include <vector>

#include "plan/report/table.hpp"

namespace meshmul {

std::string markdown_list(const std::vector<std::string>& items);
std::string markdown_code(const std::string& text);
/// A table of the rows of `step_row`, types as code.
std::string markdown_steps(std::vector<Row> rows);

}  // namespace meshmul
