#pragma once
// Reads the table [host] of a profile: what ranks that are threads of one machine take for their ops.

#include "hardware/toml_section.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {

Host read_host(const TomlSection& section);

}  // namespace meshmul
