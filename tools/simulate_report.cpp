#include "simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "draw/timeline_words.hpp"
#include "plan/report/table.hpp"
#include "verify/words.hpp"

namespace meshmul::cli {
namespace {

using drawing::duration_text;
using drawing::share_text;
using drawing::words;

constexpr std::size_t kNumSlowest = 3;  // ranks in the text

double seconds(std::int64_t ps) { return static_cast<double>(ps) * 1e-12; }

std::string path_text(const Timeline& timeline) {
  std::vector<Row> rows;
  const auto blames = blame_ps(timeline);
  for (int blame = 0; blame < kNumBlames; ++blame) {
    const std::int64_t ps = blames[static_cast<std::size_t>(blame)];
    rows.push_back(
        {std::string(words(static_cast<Blame>(blame))), duration_text(ps), share_text(ps, timeline.makespan_ps)});
  }
  return fmt::format("\n{}, along the critical path:\n", duration_text(timeline.makespan_ps)) + text_table(rows);
}

struct LinkFigures {
  std::int64_t mean_ps = 0;
  std::int64_t most_ps = 0;
  std::string busiest;
};

LinkFigures link_figures(const Timeline& timeline) {
  const std::vector<std::int64_t> busy = link_busy_ps(timeline);
  if (busy.empty()) return {};
  const auto most = std::max_element(busy.begin(), busy.end());
  const std::int64_t sum = std::accumulate(busy.begin(), busy.end(), std::int64_t{0});
  return {sum / static_cast<std::int64_t>(busy.size()), *most,
          timeline.links[static_cast<std::size_t>(most - busy.begin())].name};
}

std::string usage_text(const Timeline& timeline) {
  std::vector<Row> rows{{"", "number", "mean", "most", ""}};
  for (const LaneUsage& lane : lane_usage(timeline))
    rows.push_back({"lane " + lane.lane, std::to_string(lane.num_lanes),
                    share_text(lane.mean_busy_ps, timeline.makespan_ps),
                    share_text(lane.most_busy_ps, timeline.makespan_ps), fmt::format("rank {}", lane.busiest_rank)});
  if (const LinkFigures links = link_figures(timeline); !timeline.links.empty())
    rows.push_back({"links", std::to_string(timeline.links.size()), share_text(links.mean_ps, timeline.makespan_ps),
                    share_text(links.most_ps, timeline.makespan_ps), links.busiest});
  return rows.size() == 1 ? "" : "\nbusy:\n" + text_table(rows);
}

// Ranks from the one that ends last; of several the lower first.
std::vector<std::size_t> slowest_first(const std::vector<RankUsage>& ranks) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a].end_ps > ranks[b].end_ps; });
  return order;
}

std::string ranks_text(const Timeline& timeline) {
  const std::vector<RankUsage> ranks = rank_usage(timeline);
  std::vector<Row> rows{{"", "ends", "computes", std::string(drawing::kExposedWords)}};
  std::vector<std::size_t> order = slowest_first(ranks);
  order.resize(std::min(order.size(), kNumSlowest));
  for (const std::size_t rank : order)
    rows.push_back({fmt::format("rank {}", rank), duration_text(ranks[rank].end_ps),
                    duration_text(ranks[rank].compute_ps), duration_text(ranks[rank].exposed_ps)});
  return "\nslowest ranks:\n" + text_table(rows);
}

// Ways whose times read alike share a row.
std::string ways_text(const SimulateReport& report) {
  if (report.ways.size() < 2) return "";
  std::vector<Row> rows;
  for (const WayTime& tried : report.ways) {
    const std::string time = duration_text(tried.makespan_ps);
    if (!rows.empty() && rows.back()[1] == time)
      rows.back()[0] += "; " + tried.way;
    else
      rows.push_back({tried.way, time});
  }
  return "\nby the ways to build it:\n" + text_table(rows);
}

Json path_json(const Timeline& timeline) {
  Json json = Json::object();
  const auto blames = blame_ps(timeline);
  for (int blame = 0; blame < kNumBlames; ++blame)
    json[std::string(name(static_cast<Blame>(blame))) + "_seconds"] = seconds(blames[static_cast<std::size_t>(blame)]);
  json["steps"] = Json::array();
  for (const PathStep& step : timeline.critical_path) {
    const Span& span = timeline.spans[static_cast<std::size_t>(step.span)];
    Json of_step{
        {"blame", name(step.blame)}, {"start_ps", step.start_ps}, {"end_ps", step.end_ps}, {"rank", span.place.rank}};
    of_step["lane"] =
        timeline.lanes[static_cast<std::size_t>(span.place.rank)][static_cast<std::size_t>(span.place.lane)];
    of_step["op"] = span.place.op;
    if (span.line > 0) of_step["line"] = span.line;
    if (step.link >= 0) of_step["link"] = timeline.links[static_cast<std::size_t>(step.link)].name;
    json["steps"].push_back(std::move(of_step));
  }
  return json;
}

Json lanes_json(const Timeline& timeline) {
  Json json = Json::array();
  for (const LaneUsage& lane : lane_usage(timeline))
    json.push_back({{"lane", lane.lane},
                    {"number", lane.num_lanes},
                    {"mean_busy_seconds", seconds(lane.mean_busy_ps)},
                    {"most_busy_seconds", seconds(lane.most_busy_ps)},
                    {"busiest_rank", lane.busiest_rank}});
  return json;
}

Json links_json(const Timeline& timeline) {
  Json json = Json::array();
  const std::vector<std::int64_t> busy = link_busy_ps(timeline);
  for (std::size_t link = 0; link < busy.size(); ++link)
    json.push_back({{"link", timeline.links[link].name}, {"busy_seconds", seconds(busy[link])}});
  return json;
}

Json ranks_json(const Timeline& timeline) {
  Json json = Json::array();
  const std::vector<RankUsage> ranks = rank_usage(timeline);
  for (const std::size_t rank : slowest_first(ranks))
    json.push_back({{"rank", rank},
                    {"end_seconds", seconds(ranks[rank].end_ps)},
                    {"compute_seconds", seconds(ranks[rank].compute_ps)},
                    {"exposed_seconds", seconds(ranks[rank].exposed_ps)}});
  return json;
}

}  // namespace

std::string as_text(const SimulateReport& report) {
  const auto& [way, schedule, timeline, group] = report.chosen;
  const std::string by = way.empty() ? "" : fmt::format("by {}: ", way);
  const std::string ranks = group ? group_phrase(*group) : verification::counted(schedule.num_ranks(), "rank");
  return fmt::format("{}\n{}\n{}{}, {}\n", report.subject, setting_sentence(report.setting), by, ranks,
                     verification::counted(std::ssize(timeline.spans), "op")) +
         path_text(timeline) + usage_text(timeline) + ranks_text(timeline) + ways_text(report);
}

Json as_json(const SimulateReport& report) {
  const Timeline& timeline = report.chosen.timeline;
  Json json{{"subject", report.subject}};
  json.update(setting_json(report.setting));
  if (!report.chosen.way.empty()) json["way"] = report.chosen.way;
  if (const std::optional<Representative>& group = report.chosen.group)
    json["group"] = {
        {"groups", group->num_groups}, {"ranks", group->plan.mesh.num_devices()}, {"mesh", group->plan.mesh.str()}};
  json["ops"] = timeline.spans.size();
  json["seconds"] = seconds(timeline.makespan_ps);
  json["critical_path"] = path_json(timeline);
  json["lanes"] = lanes_json(timeline);
  json["links"] = links_json(timeline);
  json["ranks"] = ranks_json(timeline);
  json["ways"] = Json::array();
  for (const WayTime& tried : report.ways)
    json["ways"].push_back({{"way", tried.way}, {"seconds", seconds(tried.makespan_ps)}});
  return json;
}

}  // namespace meshmul::cli
