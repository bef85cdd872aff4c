// Fuzzes the text form of schedules, and the verifier with whatever can be read: proofs and findings are both fine.

#include "meshmul/schedule.hpp"

#include "meshmul/verify.hpp"
#include "promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace meshmul;
  const auto schedule = fuzz::read_or_refuse([&] { return parse_schedule(fuzz::as_text(data, size)); });
  if (!schedule) return 0;
  fuzz::expect_round_trip(*schedule, [](const Schedule& value) { return to_string(value); }, parse_schedule);
  for (const Finding& finding : verify(*schedule))
    fuzz::expect(!to_string(finding, *schedule).empty(), "a finding can be shown");
  return 0;
}
