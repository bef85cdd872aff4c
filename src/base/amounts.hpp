#pragma once
// Amounts as people read them: three digits and a prefix, and times four, which keep apart what a plan has to choose from.

#include <string>
#include <string_view>

namespace meshmul {

/// `3.22`, `820051`, as in so many times: three significant digits, and all before the point.
std::string format_number(double number);

/// `1.97 PFLOP/s`, `45 GB/s`, `0 B`: powers of 1000 from 1 to P, three significant digits. `amount` is not negative.
std::string format_amount(double amount, std::string_view unit);

/// `2.25 us`, `357.5 us`, `12 ms`, `0 s`: from picoseconds to seconds, four significant digits.
std::string format_seconds(double seconds);

}  // namespace meshmul
