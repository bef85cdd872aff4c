#include "program.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"
#include "op_times.hpp"
#include "picoseconds.hpp"
#include "routes.hpp"
#include "schedule/effects.hpp"
#include "schedule/op_count.hpp"
#include "units.hpp"

namespace meshmul::simulation {
namespace {

// One overload an op. `at` is the op to be filled in; its signals are filled in by the caller.
class Flattener {
 public:
  Flattener(const Schedule& schedule, const Hardware& hardware, const Network& network, const SimulateOptions& options)
      : schedule_(schedule),
        network_(network),
        times_(schedule, hardware, options),
        routes_(network, schedule.num_ranks()),
        units_(hardware, options, schedule.num_ranks()),
        num_increments_(schedule.ranks.size() * schedule.signals.size()) {
    program_.unit_capacities = units_.capacities();
    program_.num_memories = units_.num_memories();
    program_.store_and_forward = options.store_and_forward;
    program_.num_words = num_increments_.size();
    const auto count = static_cast<std::size_t>(num_ops(schedule));
    program_.ops.reserve(count);
    program_.first_transfers.reserve(count);
    program_.transfers.reserve(count);
    for (std::int32_t link = 0; link < network.num_links(); ++link)
      program_.level.push_back(static_cast<std::uint8_t>(network.level(link)));
  }

  FlatProgram run() {
    for (rank_ = 0; rank_ < schedule_.num_ranks(); ++rank_)
      for (const Lane& lane : schedule_.ranks[static_cast<std::size_t>(rank_)].lanes) flatten(lane);
    check_sum();
    program_.routes = std::move(routes_).take_hops();
    return std::move(program_);
  }

  void operator()(const Put& op) { transfer(op.src, op.dst, Asker::kSender); }
  void operator()(const Get& op) {
    op_.read_at_end = true;
    transfer(op.src, op.dst, Asker::kReader);
  }
  void operator()(const Signal& op) {
    op_.action = Action::kSignal;
    if (op.peer != rank_) op_.amount = routes_.find(rank_, op.peer, Asker::kSender).latency_ps;
    count(op_.amount);
  }
  void operator()(const Wait& op) {
    op_.action = Action::kWait;
    op_.amount = static_cast<std::int64_t>(op.threshold);
    op_.done.word = word(rank_, op.signal);
  }
  void operator()(const Copy& op) {
    work({&op.src}, op.dst);
    op_.unit = units_.of_copy(rank_);
  }
  void operator()(const Reduce& op) { work({&op.src, &op.dst}, op.dst); }
  void operator()(const Gemm& op) {
    if (op.accumulate)
      work({&op.a, &op.b, &op.c}, op.c);
    else
      work({&op.a, &op.b}, op.c);
  }
  void operator()(const Map& op) {
    std::vector<const Region*> srcs;
    for (const Region& src : op.srcs) srcs.push_back(&src);
    work(srcs, op.dst);
  }

 private:
  void flatten(const Lane& lane) {
    FlatLane flat{static_cast<std::uint32_t>(program_.ops.size()), 0, units_.memory(rank_)};
    for (const Op& op : lane.ops) {
      op_ = FlatOp{};
      op_.lane = static_cast<std::uint32_t>(program_.lanes.size());
      op_.first_transfer = static_cast<std::uint32_t>(program_.transfers.size());
      current_ = &op;
      std::visit(*this, op);
      for (const Raise& raise : raises_of(op, rank_)) add_increment(raise);
      op_.num_transfers = static_cast<std::uint16_t>(program_.transfers.size() - op_.first_transfer);
      program_.ops.push_back(op_);
      program_.first_transfers.push_back(op_.first_transfer);
    }
    flat.end = static_cast<std::uint32_t>(program_.ops.size());
    program_.lanes.push_back(flat);
  }

  std::uint32_t word(int rank, int signal) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(rank) * schedule_.signals.size() +
                                      static_cast<std::size_t>(signal));
  }

  void add_increment(const Raise& raise) {
    Increment& increment = raise.event == Event::kReadDone ? op_.read_done : op_.done;
    increment.word = word(raise.rank, raise.signal);
    increment.ordinal = num_increments_[increment.word]++;
  }

  void transfer(const Region& src, const Region& dst, Asker asker) {
    op_.action = Action::kTransfer;
    op_.unit = units_.of_transfer(rank_);
    add_transfer(src, src.rank, dst.rank, asker);
  }

  // What lies at a peer comes or goes while the op works.
  void work(const std::vector<const Region*>& srcs, const Region& dst) {
    const LocalTime local = times_.local(*current_);
    op_.amount = local.compute_ps;
    op_.memory_ps = local.memory_ps;
    op_.unit = units_.of_work(rank_);
    count(op_.amount);
    count(op_.memory_ps);
    for (const Region* src : srcs)
      if (src->rank != rank_) add_transfer(*src, src->rank, rank_, Asker::kReader);
    if (dst.rank != rank_) add_transfer(dst, rank_, dst.rank, Asker::kSender);
  }

  void add_transfer(const Region& region, int src, int dst, Asker asker) {
    const std::int64_t bytes = times_.bytes(region);
    if (bytes == 0 && op_.action == Action::kWork) return;
    const RouteSpan route = routes_.find(src, dst, asker);
    FlatTransfer transfer;
    transfer.first_hop = route.first_hop;
    transfer.num_hops = route.num_hops;
    program_.num_hops += route.num_hops;
    transfer.op = static_cast<std::uint32_t>(program_.ops.size());
    transfer.part = static_cast<std::uint32_t>(program_.transfers.size()) - op_.first_transfer;
    for (int level = 0; level < kNumLevels; ++level) {
      transfer.link_ps[level] = picoseconds_of_bytes(bytes, network_.rate(level));
      count(transfer.link_ps[level], route.num_hops);
    }
    count(route.latency_ps);
    program_.transfers.push_back(transfer);
  }

  void count(std::int64_t ps, std::uint32_t times = 1) {
    has_longest_ |= ps >= kLongestPs;
    total_ps_ += static_cast<double>(ps) * times;
  }

  // No op can end later than if all ran one after the other.
  void check_sum() const {
    constexpr double kLargest = 9e18;
    if (has_longest_ || total_ps_ > kLargest)
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("one op of the schedule takes {:.3g} s or more, or all together {:.3g} s; times are counted "
                      "in picoseconds and hold no more",
                      static_cast<double>(kLongestPs) * 1e-12, kLargest * 1e-12));
  }

  const Schedule& schedule_;
  const Network& network_;
  OpTimes times_;
  RouteTable routes_;
  Units units_;
  std::vector<std::uint32_t> num_increments_;  // so far, by word
  FlatProgram program_;
  double total_ps_ = 0;
  bool has_longest_ = false;
  int rank_ = 0;
  const Op* current_ = nullptr;
  FlatOp op_;
};

}  // namespace

FlatProgram flatten(const Schedule& schedule, const Hardware& hardware, const Network& network,
                    const SimulateOptions& options) {
  return Flattener(schedule, hardware, network, options).run();
}

}  // namespace meshmul::simulation
