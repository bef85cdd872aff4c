#include "execute/cuda/device_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/einsum.hpp"
#include "execute/cuda/current_device.hpp"
#include "execute/cuda/device_error.hpp"
#include "execute/cuda/epilogue_form.hpp"
#include "execute/cuda/gemm/joined_products.hpp"
#include "execute/cuda/lane_kernel.hpp"
#include "execute/cuda/product_form.hpp"
#include "execute/cuda/work_plan.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cuda {

class DeviceProgramBuilder {
 public:
  DeviceProgramBuilder(const Schedule& schedule, const WorldMemory& memory, const SignalWords& words,
                       const WaitControl& control, bool record, DeviceProgram& program)
      : schedule_(schedule), memory_(memory), words_(words), control_(control), program_(program) {
    for (int rank = 0; rank < schedule.num_ranks(); ++rank)
      for (int lane = 0; lane < static_cast<int>(lanes(rank).size()); ++lane) {
        first_op_[{rank, lane}] = num_ops_;
        for (const Op& op : ops(rank, lane)) {
          ++num_ops_;
          const auto* gemm = std::get_if<Gemm>(&op);
          if (gemm == nullptr) continue;
          auto form =
              product_form(view(gemm->c), view(gemm->a), view(gemm->b), parse_einsum(gemm->einsum), gemm->accumulate);
          if (form) forms_.emplace(gemm, std::move(*form));
        }
      }
    program_.num_ops_ = static_cast<std::size_t>(num_ops_);
    plan_ = plan_work(
        schedule, [this](int, const Gemm& gemm) { return kind_number(gemm); },
        [this](const Gemm& gemm, const PlannedEpilogue& epilogue) { return can_end(gemm, epilogue); },
        [this](const Region& dst, const std::vector<Region>& terms) { return rows_of_sum(dst, terms).has_value(); });
    count_awaited();
    make_devices(record);
  }

  void build() {
    for (std::size_t device = 0; device < program_.devices_.size(); ++device) build_tasks(device);
    for (const ProductRun& run : plan_.runs) build_products(run);
    program_.num_kernel_products_ = static_cast<int>(forms_.size());
    program_.num_absorbed_ops_ = plan_.num_absorbed_ops;
  }

 private:
  using LaneId = std::pair<int, int>;  // rank and lane

  const std::vector<Lane>& lanes(int rank) const { return schedule_.ranks[static_cast<std::size_t>(rank)].lanes; }
  const std::vector<Op>& ops(int rank, int lane) const { return lanes(rank)[static_cast<std::size_t>(lane)].ops; }
  const Op& op_at(const LaneId& lane, int op) const {
    return ops(lane.first, lane.second)[static_cast<std::size_t>(op)];
  }
  std::int32_t number_of(const LaneId& lane, int op) const { return first_op_.at(lane) + op; }
  View view(const Region& region) const { return memory_.view(region); }
  ViewOf view_of() const {
    return [this](const Region& region) { return view(region); };
  }

  std::optional<int> kind_number(const Gemm& gemm) {
    const auto form = forms_.find(&gemm);
    if (form == forms_.end()) return std::nullopt;
    const auto found = std::ranges::find(kinds_, form->second.kind);
    if (found != kinds_.end()) return static_cast<int>(found - kinds_.begin());
    kinds_.push_back(form->second.kind);
    return static_cast<int>(kinds_.size()) - 1;
  }

  /// The product of a gemm that writes to `result`.
  std::optional<ProductForm> form_with(const Gemm& gemm, const Region& result) const {
    return product_form(view(result), view(gemm.a), view(gemm.b), parse_einsum(gemm.einsum), false);
  }

  bool can_end(const Gemm& gemm, const PlannedEpilogue& epilogue) const {
    const auto form = form_with(gemm, epilogue.result);
    return form && form->kind == forms_.at(&gemm).kind && epilogue_form(*form, view_of(), epilogue).has_value();
  }

  /// How many awaited products a lane has up to each of its products, and in all.
  void count_awaited() {
    for (const ProductRun& run : plan_.runs) {
      std::vector<std::uint64_t>& counts = awaited_[{run.rank, run.lane}];
      for (const PlannedProduct& product : run.products)
        counts.push_back((counts.empty() ? 0 : counts.back()) + (product.is_awaited ? 1 : 0));
    }
  }

  // Devices, and the words that count ----------------------------------------------------------------------------------

  void make_devices(bool record) {
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank) {
      if (number_of_device_.contains(memory_.device(rank))) continue;
      number_of_device_[memory_.device(rank)] = program_.devices_.size();
      DevicePart& part = program_.devices_.emplace_back();
      part.device = memory_.device(rank);
      part.epoch = memory_.epoch(rank);
    }
    std::vector<int> num_tasks(program_.devices_.size()), num_lanes(num_tasks), num_product_lanes(num_tasks);
    for (const Task& task : plan_.tasks) {
      const std::size_t device = device_of(task.rank);
      auto [lane, is_new] = task_lanes_.try_emplace({task.rank, task.lane});
      if (is_new) lane->second.number = num_lanes[device]++;
      ++lane->second.num_tasks;
      ++num_tasks[device];
    }
    for (const auto& [lane, counts] : awaited_) product_lanes_[lane] = num_product_lanes[device_of(lane.first)]++;
    for (std::size_t i = 0; i < program_.devices_.size(); ++i) {
      if (num_lanes[i] > kMostLanes)
        throw Error(ErrorCode::kUnsupported, fmt::format("{} lanes on device {}: at most {} can run on one",
                                                         num_lanes[i], program_.devices_[i].device, kMostLanes));
      DevicePart& part = program_.devices_[i];
      const CurrentDevice current(part.device);
      part.abort = DeviceMemory(sizeof(std::uint32_t));
      check(cudaMemset(part.abort.data(), 0, part.abort.num_bytes()), "clearing a word");
      part.state = LaneState(num_tasks[i], num_lanes[i]);
      part.products_done = DeviceMemory(static_cast<std::size_t>(num_product_lanes[i]) * sizeof(std::uint64_t));
      if (num_product_lanes[i] > 0)
        check(cudaMemset(part.products_done.data(), 0, part.products_done.num_bytes()), "clearing counters");
      if (record) part.times = DeviceMemory((program_.num_ops_ + 1) * sizeof(DeviceOpTimes));
    }
  }

  WaitControl control_of(const DevicePart& part) const {
    return {.expired = control_.expired, .abort = part.abort.as<std::uint32_t>(), .budget_ns = control_.budget_ns};
  }
  std::size_t device_of(int rank) const { return number_of_device_.at(memory_.device(rank)); }
  const DevicePart& part_of(int rank) const { return program_.devices_[device_of(rank)]; }
  std::uint64_t* products_done(const LaneId& lane) const {
    return part_of(lane.first).products_done.as<std::uint64_t>() + product_lanes_.at(lane);
  }

  // Waits and raises ---------------------------------------------------------------------------------------------------

  SignalRaise raise_of(const Raised& raised) const {
    return {.word = memory_.word(raised.rank, raised.signal),
            .raises_per_run = words_.at(raised.rank, raised.signal).raises_per_run,
            .value = raised.value};
  }

  SignalWait wait_of(const LaneId& lane, const Need& need) const {
    const std::int32_t op = number_of(lane, need.op);
    switch (need.of) {
      case Need::Of::kSignal: {
        const auto& wait = std::get<Wait>(op_at(lane, need.op));
        return {.word = memory_.word(lane.first, wait.signal),
                .raises_per_run = words_.at(lane.first, wait.signal).raises_per_run,
                .threshold = wait.threshold,
                .op = op};
      }
      case Need::Of::kTask: {
        const TaskLaneOf& tasks = task_lanes_.at(lane);
        return wait_for_task(part_of(lane.first).state.done(tasks.number), tasks.num_tasks, need.index, op);
      }
      case Need::Of::kProduct: {
        const std::vector<std::uint64_t>& counts = awaited_.at(lane);
        return {.word = products_done(lane),
                .raises_per_run = counts.back(),
                .threshold = counts[static_cast<std::size_t>(need.index)],
                .op = op};
      }
    }
    return {};
  }

  // Tasks --------------------------------------------------------------------------------------------------------------

  void build_tasks(std::size_t device) {
    DevicePart& part = program_.devices_[device];
    const CurrentDevice current(part.device);
    load_lane_kernels();
    LaneTables tables;
    LaneId last{-1, -1};
    for (const Task& task : plan_.tasks) {
      if (device_of(task.rank) != device) continue;
      const LaneId lane{task.rank, task.lane};
      if (lane != last) {
        const auto first = static_cast<std::int32_t>(tables.tasks.size());
        tables.lanes.push_back({first, first, static_cast<std::int32_t>(tables.waits.size())});
        last = lane;
      }
      LaneTask made;
      made.lane = static_cast<std::int32_t>(tables.lanes.size()) - 1;
      if (task.sum)
        add_rows(tables, *rows_of_sum(task.sum->dst, task.sum->terms), made);
      else if (task.works)
        add_work(tables, op_at(lane, task.op), made);
      // What only raises for a product is not when the product was.
      const bool only_raises = !task.works && !std::holds_alternative<Signal>(op_at(lane, task.op));
      made.op = only_raises ? -1 : number_of(lane, task.last_op);
      for (const Need& need : task.needs) tables.waits.push_back(wait_of(lane, need));
      made.end_wait = static_cast<std::int32_t>(tables.waits.size());
      made.first_raise = static_cast<std::int32_t>(tables.raises.size());
      made.num_raises = static_cast<std::int32_t>(task.raises.size());
      for (const Raised& raised : task.raises) tables.raises.push_back(raise_of(raised));
      tables.tasks.push_back(made);
      tables.lanes.back().end_task = static_cast<std::int32_t>(tables.tasks.size());
    }
    // Beside a block of products there is room for one block. More are launched, wherever they come to lie, so that each
    // multiprocessor keeps one. Without products all stay.
    constexpr int kBlocks = 8;
    const bool multiplies =
        std::ranges::any_of(plan_.runs, [&](const ProductRun& run) { return device_of(run.rank) == device; });
    part.lanes = std::make_unique<LaneRun>(tables, part.state, part.epoch, part.times.as<DeviceOpTimes>(),
                                           control_of(part), multiprocessors(part.device) * kBlocks, multiplies);
  }

  std::optional<ElementRows> rows_of_sum(const Region& dst, const std::vector<Region>& terms) const {
    std::vector<ConstView> views;
    for (const Region& term : terms) views.push_back(view(term));
    return sum_rows(view(dst), views);
  }

  /// Says into how many shares a task is cut: so large that taking one is little work beside it.
  static void cut(LaneTask& task, std::int64_t units, std::int64_t of_share) {
    constexpr std::int64_t kMostShares = 1 << 20;
    task.num_shares =
        static_cast<std::int32_t>(std::clamp<std::int64_t>((units + of_share - 1) / of_share, 1, kMostShares));
  }

  static void add_rows(LaneTables& tables, const ElementRows& rows, LaneTask& task) {
    constexpr std::int64_t kOperandTilesOfShare = 8;
    task.work = LaneTask::Work::kElementRows;
    task.index = static_cast<std::int32_t>(tables.element_rows.size());
    tables.element_rows.push_back(rows);
    cut(task, rows.num_tiles(), std::max<std::int64_t>(kOperandTilesOfShare / (rows.num_sources + 1), 1));
  }

  /// Adds what a task does to the table of its kind.
  void add_work(LaneTables& tables, const Op& op, LaneTask& task) {
    const auto elements = [&](const ElementLoops& loops) {
      if (const auto rows = element_rows(loops)) return add_rows(tables, *rows, task);
      constexpr std::int64_t kOfShare = 1024;
      task.work = LaneTask::Work::kElements;
      task.index = static_cast<std::int32_t>(tables.loops.size());
      tables.loops.push_back(loops);
      cut(task, loops.count, kOfShare);
    };
    const auto copy = [&](const Region& dst, const Region& src, const std::vector<int>& permutation) {
      const auto rows = permutation.empty() ? row_copy(view(dst), view(src)) : std::nullopt;
      if (!rows) return elements(copy_loops(view(dst), view(src), permutation));
      constexpr std::int64_t kOfShare = 2048;
      task.work = LaneTask::Work::kRows;
      task.index = static_cast<std::int32_t>(tables.rows.size());
      tables.rows.push_back(*rows);
      cut(task, rows->num_vectors(), kOfShare);
    };
    struct Adder {
      DeviceProgramBuilder& builder;
      LaneTables& tables;
      LaneTask& task;
      const decltype(elements)& add_elements;
      const decltype(copy)& add_copy;

      void operator()(const Put& op) const { add_copy(op.dst, op.src, {}); }
      void operator()(const Get& op) const { add_copy(op.dst, op.src, {}); }
      void operator()(const Copy& op) const { add_copy(op.dst, op.src, op.permutation); }
      void operator()(const Reduce& op) const {
        add_elements(reduce_loops(builder.view(op.dst), builder.view(op.src), op.permutation));
      }
      void operator()(const Map& op) const {
        std::vector<ConstView> srcs;
        for (const Region& src : op.srcs) srcs.push_back(builder.view(src));
        add_elements(map_loops(builder.view(op.dst), op.function, srcs, op.along));
      }
      void operator()(const Gemm& op) const {
        task.work = LaneTask::Work::kProduct;
        task.index = static_cast<std::int32_t>(tables.products.size());
        tables.products.push_back(flat_product(builder.view(op.c), builder.view(op.a), builder.view(op.b),
                                               parse_einsum(op.einsum), op.accumulate));
        ++builder.program_.num_plain_products_;
        cut(task, tables.products.back().num_tiles(), 1);
      }
      void operator()(const Signal&) const {}
      void operator()(const Wait&) const {}
    };
    std::visit(Adder{*this, tables, task, elements, copy}, op);
  }

  // Products -----------------------------------------------------------------------------------------------------------

  void build_products(const ProductRun& run) {
    const LaneId lane{run.rank, run.lane};
    std::vector<SignalWait> waits;
    std::vector<Product> products;
    ProductKind kind;
    for (std::size_t i = 0; i < run.products.size(); ++i) {
      const PlannedProduct& planned = run.products[i];
      const auto& gemm = std::get<Gemm>(op_at(lane, planned.op));
      const ProductForm form = planned.result ? *form_with(gemm, *planned.result) : forms_.at(&gemm);
      kind = form.kind;
      for (const Need& need : planned.needs) waits.push_back(wait_of(lane, need));
      const auto num_waits = static_cast<std::int32_t>(waits.size());
      if (planned.continues) {
        continue_sums(products, form.products, num_waits);
      } else {
        // A sum that goes on is a piece of its own.
        const bool goes_on = i + 1 < run.products.size() && run.products[i + 1].continues;
        for (Product product : form.products) {
          product.op = number_of(lane, planned.op);
          add_product(products, std::move(product), num_waits, kind, planned.may_join && !goes_on);
        }
      }
      for (const Need& need : planned.epilogue_needs) waits.push_back(wait_of(lane, need));
      if (planned.epilogue) {
        products.back().epilogue = *epilogue_form(form, view_of(), *planned.epilogue);
        for (EpilogueStep& step : products.back().epilogue) step.num_waits = static_cast<std::int32_t>(waits.size());
        products.back().num_terms_ahead = planned.epilogue->num_terms_ahead;
      }
      for (const Raised& raised : planned.raises) products.back().raises.push_back(raise_of(raised));
      if (planned.is_awaited)
        products.back().raises.push_back({.word = products_done(lane),
                                          .raises_per_run = awaited_.at(lane).back(),
                                          .value = awaited_.at(lane)[static_cast<std::size_t>(run.first_product) + i]});
    }
    const int blocks = blocks_of(run.rank);
    const TileChoice choice = choose_tiles(kind, products, blocks);
    const DevicePart& part = program_.devices_[device_of(run.rank)];
    const CurrentDevice current(part.device);
    const auto [stream, is_new] = stream_of_.emplace(lane, stream_of_.size());
    program_.products_.push_back(
        {.stream = stream->second,
         .device = part.device,
         .run = std::make_unique<GemmRun>(kind, products, waits, part.epoch, part.times.as<DeviceOpTimes>(),
                                          control_of(part), choice, blocks)});
  }

  int multiprocessors(int device) {
    int& found = multiprocessors_[device];
    if (found == 0)
      check(cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device), "asking a device for its size");
    return found;
  }

  int blocks_of(int rank) {
    const int device = memory_.device(rank);
    const auto on_device = [&](const auto& lane_and_counts) {
      return memory_.device(lane_and_counts.first.first) == device;
    };
    const auto num_lanes = static_cast<int>(std::ranges::count_if(awaited_, on_device));
    // A device runs at most 128 kernels at once (compute capability 9.0); one is that of the lanes.
    constexpr int kMostKernels = 127;
    const int most = std::min(multiprocessors(device), kMostKernels);
    if (num_lanes > most)
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("{} lanes multiply on device {}: at most {} can wait for one another there, which has {} "
                              "multiprocessors and runs {} product kernels at once",
                              num_lanes, device, most, multiprocessors(device), kMostKernels));
    const int share = multiprocessors(device) / num_lanes;
    // Whole clusters of two.
    return std::max(share / 2 * 2, 1);
  }

  const Schedule& schedule_;
  const WorldMemory& memory_;
  const SignalWords& words_;
  const WaitControl& control_;
  DeviceProgram& program_;
  std::map<LaneId, std::int32_t> first_op_;  // number of the first op of a lane among those of all ranks
  std::int32_t num_ops_ = 0;
  std::map<const Gemm*, ProductForm> forms_;
  std::vector<ProductKind> kinds_;
  WorkPlan plan_;
  std::map<LaneId, std::vector<std::uint64_t>> awaited_;  // of lanes with products
  std::map<int, std::size_t> number_of_device_;
  struct TaskLaneOf {
    int number = 0;  // among the lanes with tasks of the device
    int num_tasks = 0;
  };
  std::map<LaneId, TaskLaneOf> task_lanes_;
  std::map<LaneId, int> product_lanes_;  // number among those of the device
  std::map<LaneId, std::size_t> stream_of_;
  std::map<int, int> multiprocessors_;
};

DeviceProgram::DeviceProgram(const Schedule& schedule, const WorldMemory& memory, const SignalWords& words,
                             const WaitControl& control, bool record) {
  *reinterpret_cast<std::uint32_t*>(one_.data()) = 1;
  DeviceProgramBuilder(schedule, memory, words, control, record, *this).build();
}

StreamLayout DeviceProgram::stream_layout() const {
  StreamLayout layout;
  for (const DevicePart& part : devices_) layout.devices.push_back(part.device);
  for (const ProductsPart& part : products_) {
    layout.products.resize(std::max(layout.products.size(), part.stream + 1));
    layout.products[part.stream] = part.device;
  }
  return layout;
}

std::vector<DeviceOpTimes> DeviceProgram::read_times(const DevicePart& part) const {
  const CurrentDevice current(part.device);
  std::vector<DeviceOpTimes> times(num_ops_ + 1);
  check(cudaMemcpy(times.data(), part.times.data(), part.times.num_bytes(), cudaMemcpyDeviceToHost),
        "reading the times of a run");
  return times;
}

void DeviceProgram::abort(const Streams& streams) const {
  for (std::size_t device = 0; device < devices_.size(); ++device) {
    const CurrentDevice current(devices_[device].device);
    check(cudaMemcpyAsync(devices_[device].abort.data(), one_.data(), one_.num_bytes(), cudaMemcpyHostToDevice,
                          streams.beside(device)),
          "ending a run before its time");
  }
}

void DeviceProgram::enqueue(const Streams& streams) const {
  streams.fork([&](std::size_t device, cudaStream_t stream) {
    const DevicePart& part = devices_[device];
    if (part.times.num_bytes() > 0)
      check(cudaMemsetAsync(part.times.data(), 0xFF, part.times.num_bytes(), stream), "clearing times");
    begin_run(part.epoch, part.state.taken(), part.state.num_tasks(), part.begin_times(num_ops_), stream);
  });
  for (std::size_t device = 0; device < devices_.size(); ++device) {
    const CurrentDevice current(devices_[device].device);
    devices_[device].lanes->launch(streams.tasks(device));
  }
  for (const ProductsPart& part : products_) {
    const CurrentDevice current(part.device);
    part.run->launch(streams.products(part.stream));
  }
  streams.join();
}

}  // namespace meshmul::cuda
