#pragma once
// Hardware profiles as text and JSON.

#include <string>

#include "json.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul::cli {

/// A line for each profile that comes with the library.
std::string hardware_list();
/// All that one profile says, and what its slice makes of it.
std::string hardware_text(const Hardware& hardware);
/// The same with the names of the profile's fields; what it leaves out is left out, defaults are written.
Json hardware_json(const Hardware& hardware);

}  // namespace meshmul::cli
