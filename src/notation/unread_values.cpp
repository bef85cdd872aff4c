// Finds what a program makes or declares in vain.

#include <fmt/format.h>

#include <algorithm>

#include "notation/dependence.hpp"
#include "notation/program_builder.hpp"

namespace meshmul::notation {

/// A value that nothing reads is an output if it is the last of its name, else a fault.
void ProgramBuilder::check_all_read() const {
  const std::vector<bool> read = read_values(program_);
  std::vector<bool> fine = read;
  const auto at = [](ValueId id) { return static_cast<std::size_t>(id); };
  for (const auto& [name, meaning] : names_.known())
    if (program_.value(meaning.value).kind != ValueKind::kGiven) fine[at(meaning.value)] = true;
  std::vector<bool> begins(read.size());
  for (const ProgramItem& item : program_.items)
    if (const auto* repeat = std::get_if<Repeat>(&item))
      for (const Carry& carry : repeat->carries) {
        begins[at(carry.begin)] = true;
        fine[at(carry.end)] = true;
        if (read[at(carry.end)]) fine[at(carry.after)] = true;
      }
  const auto vain = static_cast<std::size_t>(std::find(fine.begin(), fine.end(), false) - fine.begin());
  if (vain == fine.size()) return;
  const auto& [type, kind, like, tensor, is_cotangent, span] = program_.values[vain];
  if (begins[vain])
    tokens_.fail(places_[vain], fmt::format("{} is known before the repeat, but no pass reads what it was; give what a "
                                            "pass makes another name",
                                            type.name));
  const std::string_view verb = kind == ValueKind::kGiven ? "declared" : "made";
  tokens_.fail(places_[vain], fmt::format("{} is {} here, but nothing reads it", type.name, verb));
}

}  // namespace meshmul::notation
