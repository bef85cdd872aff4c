#pragma once
// Lists of words as a sentence has them.

#include <string>
#include <string_view>
#include <vector>

namespace meshmul {

/// `a`, `a and b`, `a, b and c`; empty for none. `conjunction` is the `and`.
std::string word_list(const std::vector<std::string>& words, std::string_view conjunction);

}  // namespace meshmul
