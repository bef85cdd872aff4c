#pragma once
// Where the files lie that tests read.

#include <filesystem>

namespace meshmul::testing {

/// The folder `tests` of the sources. One file alone is compiled with its place, so that all others are the same in every checkout.
std::filesystem::path tests_folder();

}  // namespace meshmul::testing
