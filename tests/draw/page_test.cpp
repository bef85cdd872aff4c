#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "draw/embedded_page.hpp"
#include "draw/sample.hpp"
#include "draw/two_ranks.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Sample;

/// What stands between `begin` and the next `end`.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return "";
  const std::size_t start = from + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

json data_of(const Drawing& drawing) { return json::parse(between(page_html(drawing), R"(id="data">)", "</script>")); }

TEST(Page, IsOnePieceWithNoPlaceLeftEmpty) {
  const std::string html = page_html(testing::small_sample().both());
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_THAT(html, Not(HasSubstr("{{")));
  EXPECT_THAT(html, HasSubstr(drawing::embedded_page().style));
  EXPECT_THAT(html, HasSubstr(drawing::embedded_page().script));
}

TEST(Page, LoadsNothing) {
  const std::string html = page_html(testing::small_sample().both());
  const std::string policy = between(html, "Content-Security-Policy\" content=\"", "\"");
  EXPECT_TRUE(policy.starts_with("default-src 'none'; style-src 'sha256-")) << policy;
  for (const std::string_view word : {"src=", "@import", "url(http", "fetch(", "<link", "<iframe"})
    EXPECT_THAT(html, Not(HasSubstr(word)));
}

TEST(Page, EqualInputGivesEqualBytes) {
  EXPECT_EQ(page_html(testing::small_sample().both()), page_html(testing::small_sample().both()));
}

TEST(Page, EscapesNames) {
  Schedule schedule = testing::two_ranks();
  schedule.signals[0].name = "</script><b>&\"";
  const std::string html = page_html({.schedule = &schedule});
  EXPECT_THAT(html, Not(HasSubstr("</script><b>")));
  const json data = data_of({.schedule = &schedule});
  EXPECT_THAT(data["words"].dump(), HasSubstr("</script><b>"));
}

TEST(Page, SaysFirstWhatItIsIfThatIsNotAll) {
  const Sample sample = testing::small_sample();
  Drawing drawing = sample.drawing();
  drawing.note = "one of 2";
  EXPECT_EQ(data_of(drawing)["sentences"][0], "one of 2");
}

TEST(Page, HasTheStatementAsItsTitle) {
  Sample sample = testing::small_sample();
  EXPECT_EQ(between(page_html(sample.drawing()), "<title>", "</title>"),
            "bf16 A[I=512_X, J=1024_Y] * bf16 B[J=1024_Y, K=768] -> bf16 C[I=512_X, K=768_Y]");
}

TEST(Page, HasOpsOnceAndTimesOfEachTimeline) {
  const Sample sample = testing::small_sample();
  const json data = data_of(sample.both());
  ASSERT_EQ(data["timelines"].size(), 2U);
  EXPECT_EQ(data["timelines"][0]["times"].size(), 2 * sample.predicted.spans.size());
  EXPECT_EQ(data["timelines"][1]["makespan"], sample.measured.makespan_ps);
  EXPECT_EQ(data["axes"], json::parse(R"([["X", 2], ["Y", 2]])"));
  EXPECT_EQ(data["ranks"], json({0, 3}));
}

TEST(Page, OfAPlanAloneHasNoOps) {
  const Sample sample = testing::small_sample();
  const json data = data_of({.plan = &sample.plan});
  EXPECT_FALSE(data.contains("lanes"));
  EXPECT_EQ(data["steps"].size(), sample.plan.steps.size());
}

TEST(Page, Of64RanksIsBelowThreeMegabytes) {
  const Sample sample = testing::sample("bf16 A[I=8192_X, J=4096_Y] * B[J=4096_Y, K=8192_X] -> C[I_X, K_Y]", "X=8,Y=8",
                                        "v5p", Algorithm::kDirect);
  EXPECT_LT(page_html(sample.both()).size(), 3'000'000U);
}

TEST(Page, NeedsSomethingToDraw) {
  EXPECT_EQ(testing::message_of([] { page_html({}); }), "there is nothing to draw: expected a plan or a schedule");
}

}  // namespace
}  // namespace meshmul
