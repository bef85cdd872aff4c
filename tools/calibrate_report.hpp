#pragma once
// What a calibration found, as text.

#include <string>

#include "meshmul/calibrate.hpp"

namespace meshmul::cli {

std::string calibration_text(const Calibration& calibration);

}  // namespace meshmul::cli
