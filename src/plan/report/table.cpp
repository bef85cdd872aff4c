#include "plan/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace meshmul {
namespace {

std::string markdown_line(const Row& cells) {
  std::string line = "|";
  for (std::string cell : cells) {
    for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2) cell.insert(at, 1, '\\');
    line += fmt::format(" {} |", cell);
  }
  return line + "\n";
}

}  // namespace

std::string text_table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size(), 0);
  for (const Row& cells : rows)
    for (std::size_t column = 0; column < widths.size(); ++column)
      widths[column] = std::max(widths[column], cells[column].size());
  std::string text;
  for (const Row& cells : rows) {
    std::string line;
    for (std::size_t column = 0; column < widths.size(); ++column)
      line += fmt::format("  {:{}}", cells[column], widths[column]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string markdown_table(const Row& head, const std::vector<Row>& rows) {
  std::string text = markdown_line(head) + markdown_line(Row(head.size(), "---"));
  for (const Row& cells : rows) text += markdown_line(cells);
  return text;
}

}  // namespace meshmul
