#include "draw/timeline_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw/scope.hpp"
#include "draw/timeline_words.hpp"

namespace meshmul::drawing {
namespace {

std::string which(const Timeline& timeline) { return timeline.measured ? "measured" : "predicted"; }

Table duration_table(const Drawing& drawing) {
  Table table{"Duration", {"timeline", "time"}, {}};
  for (const Timeline* timeline : timelines(drawing))
    table.rows.push_back({which(*timeline), duration_text(timeline->makespan_ps)});
  if (drawing.predicted != nullptr && drawing.measured != nullptr && drawing.predicted->makespan_ps > 0)
    table.rows.push_back(
        {"measured / predicted", fmt::format("{:.3f}", static_cast<double>(drawing.measured->makespan_ps) /
                                                           static_cast<double>(drawing.predicted->makespan_ps))});
  return table;
}

Table blame_table(const Timeline& timeline) {
  Table table{fmt::format("Critical path, {}", which(timeline)), {"spent on", "time", "share"}, {}};
  if (timeline.critical_path.empty()) return table;
  const auto sums = blame_ps(timeline);
  for (std::size_t blame = 0; blame < sums.size(); ++blame)
    table.rows.push_back({std::string(words(static_cast<Blame>(blame))), duration_text(sums[blame]),
                          share_text(sums[blame], timeline.makespan_ps)});
  return table;
}

Table lane_table(const Timeline& timeline) {
  Table table{fmt::format("Lanes, {}", which(timeline)),
              {"lane", "number", "busy on average", "share", "busiest", "its rank"},
              {}};
  for (const LaneUsage& lane : lane_usage(timeline))
    table.rows.push_back({lane.lane, fmt::format("{}", lane.num_lanes), duration_text(lane.mean_busy_ps),
                          share_text(lane.mean_busy_ps, timeline.makespan_ps), duration_text(lane.most_busy_ps),
                          fmt::format("{}", lane.busiest_rank)});
  return table;
}

Table rank_table(const Timeline& timeline, const RankRange& ranks) {
  Table table{fmt::format("Ranks, {}", which(timeline)), {"rank", "ends", "computes", std::string(kExposedWords)}, {}};
  const std::vector<RankUsage> usage = rank_usage(timeline);
  for (int rank = ranks.first; rank <= ranks.last; ++rank) {
    const RankUsage& used = usage[static_cast<std::size_t>(rank)];
    table.rows.push_back({fmt::format("{}", rank), duration_text(used.end_ps), duration_text(used.compute_ps),
                          duration_text(used.exposed_ps)});
  }
  return table;
}

Table link_table(const Timeline& timeline) {
  constexpr std::size_t kMostLinks = 16;
  Table table{fmt::format("Busiest links, {}", which(timeline)), {"link", "taken", "share"}, {}};
  const std::vector<std::int64_t> busy = link_busy_ps(timeline);
  std::vector<std::size_t> order(busy.size());
  for (std::size_t link = 0; link < order.size(); ++link) order[link] = link;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return busy[a] > busy[b]; });
  order.resize(std::min(order.size(), kMostLinks));
  for (const std::size_t link : order)
    table.rows.push_back(
        {timeline.links[link].name, duration_text(busy[link]), share_text(busy[link], timeline.makespan_ps)});
  return table;
}

}  // namespace

std::vector<Table> timeline_tables(const Drawing& drawing) {
  std::vector<Table> tables;
  const auto append = [&](Table table) {
    if (!table.rows.empty()) tables.push_back(std::move(table));
  };
  append(duration_table(drawing));
  for (const Timeline* timeline : timelines(drawing)) {
    append(blame_table(*timeline));
    append(lane_table(*timeline));
    append(link_table(*timeline));
    append(rank_table(*timeline, ranks(drawing)));
  }
  return tables;
}

}  // namespace meshmul::drawing
