// The one file of the tests that is compiled with the place of the sources.

#include "support/tests_folder.hpp"

namespace meshmul::testing {

std::filesystem::path tests_folder() { return MESHMUL_TESTS_DIR; }

}  // namespace meshmul::testing
