#pragma once
// What every file of results begins with: enough to repeat it, and nothing that names the machine's owner.

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace meshmul::measure {

/// The words of a command, with the program and whatever else looks like a path cut down to its last part; words with
/// spaces are quoted.
std::string command_text(std::span<const std::string> words);

struct ResultMethod {
  std::string statistic;
  std::string warm_up;
  int pairs = 0;        ///< at most so many: a limit of time may have left out some, which rows then say themselves
  bool on_gpu = false;  ///< whether it names the GPU; Error(kUnsupported) if there is none
};

/// `date`, on a GPU `gpu` with its number, driver, versions of CUDA and limits of clocks and power, `command` of this
/// process, `warm_up`, `statistic`, `pairs`.
nlohmann::ordered_json result_header(const ResultMethod& method);

}  // namespace meshmul::measure
