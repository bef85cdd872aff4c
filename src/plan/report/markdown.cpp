#include "plan/report/markdown.hpp"

#include <fmt/format.h>

namespace meshmul {

std::string markdown_list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += fmt::format("- {}\n", item);
  return text;
}

std::string markdown_code(const std::string& text) { return fmt::format("`{}`", text); }

std::string markdown_steps(std::vector<Row> rows) {
  for (Row& row : rows) row[1] = markdown_code(row[1]);
  return markdown_table({"step", "types", "bytes or FLOPs", "hops", "bound", "time", "made of"}, rows);
}

}  // namespace meshmul
