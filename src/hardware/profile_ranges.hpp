#pragma once
// What figures of a profile may be. The bounds are far beyond any machine; they catch slips, and keep seconds and bytes
// within what numbers can hold.

#include "hardware/toml_section.hpp"

namespace meshmul {

constexpr TomlSection::Range kRate{1, 1e24, "a number from 1 to 1e24, per second"};
constexpr TomlSection::Range kSeconds{1e-12, 1e3, "a number of seconds from 1e-12 to 1000"};
constexpr TomlSection::Range kBytes{1, 1e18, "a whole number of bytes from 1 to 1e18"};
constexpr TomlSection::Range kShare{0.001, 1, "a share from 0.001 to 1"};
constexpr TomlSection::Range kCount{1, 1 << 20, "a whole number from 1 to 1048576"};

}  // namespace meshmul
