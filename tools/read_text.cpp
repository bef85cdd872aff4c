#include "read_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/amounts.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cli {

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
                    fmt::format("{} has more than {}; expected a text that is shorter", path,
                                format_amount(static_cast<double>(most_bytes), "B")));
    }
  }
  if (file == nullptr || std::ferror(file) != 0)
    throw Error(ErrorCode::kInvalidArgument, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return text;
}

}  // namespace meshmul::cli
