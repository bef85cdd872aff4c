#pragma once
// Reads the network of a profile.

#include "hardware/toml_section.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {

/// The table `[network]`. Throws Error(kInvalidArgument) with file, line and field.
Network read_network(const TomlSection& section);

}  // namespace meshmul
