// Texts with random damage: parsing refuses them with a place, or what it reads prints back and can be verified.

#include <gmock/gmock.h>

#include <random>

#include "meshmul/error.hpp"
#include "verify/schedules.hpp"

namespace meshmul {
namespace {

class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}

  void apply(std::string& text) {
    const std::size_t place = below(text.size());
    const std::string_view known = "0123456789:,[]@#>=-_ \n{}XIABCabcs";
    switch (below(5)) {
      case 0: text.erase(place, 1 + below(3)); return;
      case 1: text.insert(place, 1, known[below(known.size())]); return;
      case 2: text[place] = known[below(known.size())]; return;
      case 3: move_line(text, place, below(text.size())); return;
      default: change_digit(text, place); return;
    }
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  static void move_line(std::string& text, std::size_t from, std::size_t to) {
    const std::size_t begin = text.rfind('\n', from) + 1;
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    text.insert(text.rfind('\n', to) + 1, line);
  }

  void change_digit(std::string& text, std::size_t place) {
    const std::size_t digit = text.find_first_of("0123456789", place);
    if (digit != std::string::npos) text[digit] = static_cast<char>('0' + below(10));
  }

  std::mt19937_64 random_;
};

TEST(DamagedTexts, AreRefusedWithAPlaceOrVerified) {
  int refused = 0;
  int faulty = 0;
  for (const char* name : {"all_gather_matmul", "ring_reduce_scatter", "ring_without_credit", "barrier_by_pairs"})
    for (std::uint64_t seed = 0; seed < 1000 / MESHMUL_RANDOM_CASE_DIVISOR; ++seed) {
      std::string text = to_string(testing::read_schedule(name));
      Damage damage(seed);
      for (std::uint64_t i = 0; i <= seed % 3; ++i) damage.apply(text);
      SCOPED_TRACE(text);
      try {
        const Schedule schedule = parse_schedule(text);
        ASSERT_EQ(parse_schedule(to_string(schedule)), schedule);
        if (!testing::findings_of(schedule).empty()) ++faulty;
      } catch (const Error& error) {
        ++refused;
        ASSERT_EQ(error.code(), ErrorCode::kInvalidArgument);
        ASSERT_TRUE(error.place().has_value()) << error.what();
        ASSERT_LE(error.place()->offset, text.size());
      }
    }
  EXPECT_GT(refused, 0);
  EXPECT_GT(faulty, 0);
}

}  // namespace
}  // namespace meshmul
