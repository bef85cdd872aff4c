#include "read_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/amounts.hpp"

namespace meshmul::cli {

std::string name_of_text(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_text(const std::string& path, std::size_t most_bytes) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> opened(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"),
                                                           close);
  std::FILE* file = path == "-" ? stdin : opened.get();
  std::string text;
  if (file != nullptr) {
    char block[1 << 16];
    while (const std::size_t n = std::fread(block, 1, sizeof block, file)) {
      text.append(block, n);
      if (text.size() > most_bytes)
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("{} has more than {}; expected a text that is shorter", name_of_text(path),
                                format_amount(static_cast<double>(most_bytes), "B")));
    }
  }
  if (file == nullptr || std::ferror(file) != 0)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot read {}: {}", name_of_text(path), std::strerror(errno)));
  return text;
}

Error in_file(const Error& error, const std::string& path) {
  const TextPlace& place = *error.place();
  // Counted in characters, of which the first is 1; what continues one in UTF-8 is none.
  std::size_t column = 1;
  for (std::size_t at = place.offset; at > 0 && place.text[at - 1] != '\n'; --at)
    if ((static_cast<unsigned char>(place.text[at - 1]) & 0xC0U) != 0x80U) ++column;
  std::string report = error.report();
  report.insert(report.find('\n') + 1, "  ");
  return {error.code(), fmt::format("{}:{}:{}:\n  {}", name_of_text(path), place.line(), column, report)};
}

}  // namespace meshmul::cli
