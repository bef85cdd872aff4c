#include "execute/cuda/device_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "execute/cuda/current_device.hpp"
#include "execute/cuda/device_error.hpp"
#include "execute/cuda/elementwise.hpp"
#include "execute/cuda/plain_product.hpp"
#include "execute/cuda/stream_ops.hpp"
#include "execute/cuda/transfer.hpp"
#include "meshmul/error.hpp"
#include "schedule/effects.hpp"

namespace meshmul::cuda {
namespace {

/// Multiprocessors that product kernels leave to other kernels, which may be what they wait for.
constexpr int kRoom = 8;

class Builder {
 public:
  Builder(const Schedule& schedule, const WorldMemory& memory, const SignalWords& words, const WaitControl& control)
      : schedule_(schedule), memory_(memory), words_(words), control_(control) {
    for (int rank = 0; rank < schedule.num_ranks(); ++rank)
      for (const Lane& lane : lanes(rank))
        for (const Op& op : lane.ops) {
          numbers_[&op] = num_ops_++;
          const auto* gemm = std::get_if<Gemm>(&op);
          if (gemm == nullptr) continue;
          auto form =
              product_form(view(gemm->c), view(gemm->a), view(gemm->b), parse_einsum(gemm->einsum), gemm->accumulate);
          if (form) forms_.emplace(gemm, std::move(*form));
        }
  }

  std::vector<Step> build() {
    const std::vector<Launch> launches =
        plan_launches(schedule_, [this](int, const Gemm& gemm) { return kind_number(gemm); });
    for (const Launch& launch : launches)
      if (launch.products) product_lanes_[memory_.device(launch.rank)].insert({launch.rank, launch.lane});
    std::vector<Step> steps;
    for (const Launch& launch : launches) {
      current_step_ = steps.size();
      Step& step = steps.emplace_back();
      step.launch = launch;
      if (launch.products)
        build_products(step);
      else
        build_single(step);
    }
    make_edges(steps);
    return steps;
  }

  int num_kernel_products() const { return static_cast<int>(forms_.size()); }

 private:
  const std::vector<Lane>& lanes(int rank) const { return schedule_.ranks[static_cast<std::size_t>(rank)].lanes; }
  const Op& op_at(const Launch& launch, int i) const {
    return lanes(launch.rank)[static_cast<std::size_t>(launch.lane)].ops[static_cast<std::size_t>(launch.first_op + i)];
  }
  View view(const Region& region) const { return memory_.view(region); }

  std::optional<int> kind_number(const Gemm& gemm) {
    const auto form = forms_.find(&gemm);
    if (form == forms_.end()) return std::nullopt;
    const auto found = std::ranges::find(kinds_, form->second.kind);
    if (found != kinds_.end()) return static_cast<int>(found - kinds_.begin());
    kinds_.push_back(form->second.kind);
    return static_cast<int>(kinds_.size()) - 1;
  }

  /// Waits in streams for what a step raises at its end become edges, and raises of words that nobody reads then are
  /// left out.
  void make_edges(std::vector<Step>& steps) {
    for (Step& step : steps) {
      auto* wait = std::get_if<WaitStep>(&step.work);
      if (wait == nullptr) continue;
      const auto& op = std::get<Wait>(op_at(step.launch, 0));
      if (op.threshold == 0) {
        step.work = NoStep{};
        continue;
      }
      const std::size_t raising =
          raised_by_.at({step.launch.rank, op.signal})[static_cast<std::size_t>(op.threshold) - 1];
      if (steps[raising].launch.products) {
        read_.insert(wait->wait.word);
        continue;
      }
      step.work = AfterStep{raising};
      steps[raising].is_awaited = true;
    }
    for (Step& step : steps)
      std::erase_if(step.raises, [this](const SignalRaise& raise) { return !read_.contains(raise.word); });
  }

  SignalWait wait_of(int rank, const Op& op) const {
    const auto& wait = std::get<Wait>(op);
    return {.word = memory_.word(rank, wait.signal),
            .raises_per_run = words_.at(rank, wait.signal).raises_per_run,
            .threshold = wait.threshold,
            .op = numbers_.at(&op)};
  }

  std::vector<SignalRaise> raises(const Op& op, int rank) {
    std::vector<SignalRaise> all;
    for (const Raise& raise : raises_of(op, rank)) {
      raised_by_[{raise.rank, raise.signal}].push_back(current_step_);
      all.push_back({.word = memory_.word(raise.rank, raise.signal),
                     .raises_per_run = words_.at(raise.rank, raise.signal).raises_per_run,
                     .value = raised_by_[{raise.rank, raise.signal}].size()});
    }
    return all;
  }

  void build_single(Step& step) {
    const Op& op = op_at(step.launch, 0);
    std::visit([&](const auto& alternative) { step.work = work(step.launch.rank, op, alternative); }, op);
    step.raises = raises(op, step.launch.rank);
  }

  using Work = decltype(Step::work);
  Work work(int rank, const Op& op, const Wait&) const { return WaitStep{wait_of(rank, op)}; }
  Work work(int, const Op&, const Signal&) const { return NoStep{}; }
  Work work(int, const Op&, const Put& op) const { return CopyStep{view(op.dst), view(op.src), {}}; }
  Work work(int, const Op&, const Get& op) const { return CopyStep{view(op.dst), view(op.src), {}}; }
  Work work(int, const Op&, const Copy& op) const { return CopyStep{view(op.dst), view(op.src), op.permutation}; }
  Work work(int, const Op&, const Reduce& op) const { return ReduceStep{view(op.dst), view(op.src), op.permutation}; }
  Work work(int, const Op&, const Gemm& op) const {
    return GemmStep{view(op.c), view(op.a), view(op.b), parse_einsum(op.einsum), op.accumulate};
  }
  Work work(int, const Op&, const Map& op) const {
    MapStep step{view(op.dst), op.function, {}, op.along};
    for (const Region& src : op.srcs) step.srcs.push_back(view(src));
    return step;
  }

  void build_products(Step& step) {
    const Launch& launch = step.launch;
    std::vector<SignalWait> waits;
    std::vector<Product> products;
    ProductKind kind;
    const Gemm* last = nullptr;
    bool raised = false;
    for (int i = 0; i < launch.num_ops; ++i) {
      const Op& op = op_at(launch, i);
      if (std::holds_alternative<Wait>(op)) {
        waits.push_back(wait_of(launch.rank, op));
        read_.insert(waits.back().word);
        continue;
      }
      if (const auto* gemm = std::get_if<Gemm>(&op)) {
        const ProductForm& form = forms_.at(gemm);
        kind = form.kind;
        const auto num_waits = static_cast<std::int32_t>(waits.size());
        if (last != nullptr && !raised && gemm->accumulate && gemm->c == last->c)
          continue_sums(products, form.products, num_waits);
        else
          for (Product product : form.products) add(products, std::move(product), num_waits, kind, raised);
        last = gemm;
        raised = false;
      }
      for (const SignalRaise& raise : raises(op, launch.rank)) {
        products.back().raises.push_back(raise);
        raised = true;
      }
    }
    const int blocks = blocks_of(launch.rank);
    const TileChoice choice = choose_tiles(kind, products, blocks);
    const CurrentDevice current(memory_.device(launch.rank));
    step.work = ProductsStep{
        std::make_unique<GemmRun>(kind, products, waits, memory_.epoch(launch.rank), control_, choice, blocks)};
  }

  /// The last products go on with more parts of their contractions.
  static void continue_sums(std::vector<Product>& products, const std::vector<Product>& more, std::int32_t num_waits) {
    const std::size_t first = products.size() - more.size();
    for (std::size_t i = 0; i < more.size(); ++i)
      for (ProductPart part : more[i].parts) {
        part.num_waits = num_waits;
        products[first + i].parts.push_back(part);
      }
  }

  /// Adds a product, as further rows of the one before it if it lies right below it in memory.
  static void add(std::vector<Product>& products, Product product, std::int32_t num_waits, const ProductKind& kind,
                  bool raised) {
    const auto rows = static_cast<std::int32_t>(product.m);
    if (!products.empty() && !raised && is_below(products.back(), product, kind)) {
      Product& upper = products.back();
      upper.m += product.m;
      upper.row_groups.push_back({static_cast<std::int32_t>(upper.m), num_waits});
      return;
    }
    product.row_groups = {{rows, num_waits}};
    products.push_back(std::move(product));
  }

  static bool is_below(const Product& upper, const Product& lower, const ProductKind& kind) {
    if (!upper.raises.empty() || upper.parts.size() != 1 || lower.parts.size() != 1 || upper.n != lower.n ||
        upper.output != lower.output || upper.accumulate != lower.accumulate || upper.c_stride != lower.c_stride)
      return false;
    const ProductPart &p = upper.parts.front(), &q = lower.parts.front();
    const std::int64_t c_bytes = upper.m * upper.c_stride * size_bytes(upper.output);
    const std::int64_t a_bytes = upper.m * (kind.a_rows_together ? 1 : p.a_stride) * size_bytes(kind.element);
    return p.b == q.b && p.k == q.k && p.a_stride == q.a_stride && p.b_stride == q.b_stride &&
           static_cast<const std::byte*>(p.a) + a_bytes == q.a && static_cast<std::byte*>(upper.c) + c_bytes == lower.c;
  }

  int blocks_of(int rank) {
    const int device = memory_.device(rank);
    int& multiprocessors = multiprocessors_[device];
    if (multiprocessors == 0)
      check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
            "asking a device for its size");
    const int room = needs_room() ? kRoom : 0;
    const auto num_lanes = static_cast<int>(product_lanes_[device].size());
    const int share = (multiprocessors - room) / num_lanes;
    if (share == 0)
      throw Error(
          ErrorCode::kUnsupported,
          fmt::format("{} lanes multiply on device {}, which has {} multiprocessors: at most {} can wait for one "
                      "another there",
                      num_lanes, device, multiprocessors, multiprocessors - room));
    // Whole clusters of two.
    return std::max(share / 2 * 2, 1);
  }

  /// Whether a product may have to wait for a kernel of another lane.
  bool needs_room() {
    if (room_) return *room_;
    room_ = false;
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank)
      for (int lane = 0; lane < static_cast<int>(lanes(rank).size()); ++lane) {
        const bool alone = schedule_.num_ranks() == 1 && lanes(rank).size() == 1;
        for (const Op& op : lanes(rank)[static_cast<std::size_t>(lane)].ops)
          if (!alone && takes_multiprocessor(op)) room_ = true;
      }
    return *room_;
  }
  bool takes_multiprocessor(const Op& op) const {
    if (std::holds_alternative<Wait>(op) || std::holds_alternative<Signal>(op)) return false;
    if (const auto* gemm = std::get_if<Gemm>(&op)) return !forms_.contains(gemm);
    if (const auto* put = std::get_if<Put>(&op)) return !is_engine_copy(view(put->dst), view(put->src));
    if (const auto* get = std::get_if<Get>(&op)) return !is_engine_copy(view(get->dst), view(get->src));
    if (const auto* copy = std::get_if<Copy>(&op))
      return !copy->permutation.empty() || !is_engine_copy(view(copy->dst), view(copy->src));
    return true;
  }

  const Schedule& schedule_;
  const WorldMemory& memory_;
  const SignalWords& words_;
  const WaitControl& control_;
  std::map<const Op*, std::int32_t> numbers_;
  std::int32_t num_ops_ = 0;
  std::map<const Gemm*, ProductForm> forms_;
  std::vector<ProductKind> kinds_;
  std::size_t current_step_ = 0;
  std::map<std::pair<int, int>, std::vector<std::size_t>> raised_by_;  // which steps, in order, by rank and signal
  std::set<const std::uint64_t*> read_;                                // words that kernels wait for
  std::map<int, std::set<std::pair<int, int>>> product_lanes_;         // by device
  std::map<int, int> multiprocessors_;
  std::optional<bool> room_;
};

}  // namespace

DeviceProgram::DeviceProgram(const Schedule& schedule, const WorldMemory& memory, const SignalWords& words,
                             const WaitControl& control) {
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const CurrentDevice current(memory.device(rank));
    load_stream_kernels();
    load_element_kernels();
    load_plain_product_kernels();
  }
  Builder builder(schedule, memory, words, control);
  steps_ = builder.build();
  num_kernel_products_ = builder.num_kernel_products();
  for (const Step& step : steps_) num_plain_products_ += std::holds_alternative<GemmStep>(step.work) ? 1 : 0;
}

namespace {

class Enqueuer {
 public:
  Enqueuer(const WorldMemory& memory, int rank, const WaitControl& control, cudaStream_t stream)
      : epoch_(memory.epoch(rank)), control_(control), stream_(stream) {}

  void operator()(const NoStep&) const {}
  void operator()(const AfterStep&) const {}
  void operator()(const ProductsStep& step) const { step.run->launch(stream_); }
  void operator()(const GemmStep& step) const {
    plain_product(step.c, step.a, step.b, step.einsum, step.accumulate, stream_);
  }
  void operator()(const CopyStep& step) const {
    if (step.permutation.empty() && is_engine_copy(step.dst, step.src))
      engine_copy(step.dst, step.src, stream_);
    else
      cuda::copy(step.dst, step.src, step.permutation, stream_);
  }
  void operator()(const ReduceStep& step) const { cuda::reduce(step.dst, step.src, step.permutation, stream_); }
  void operator()(const MapStep& step) const { cuda::map(step.dst, step.function, step.srcs, step.along, stream_); }
  void operator()(const WaitStep& step) const { wait_in_stream(step.wait, epoch_, control_, stream_); }

 private:
  const std::uint64_t* epoch_;
  const WaitControl& control_;
  cudaStream_t stream_;
};

}  // namespace

void enqueue(const Step& step, const WorldMemory& memory, const WaitControl& control, cudaStream_t stream) {
  std::visit(Enqueuer(memory, step.launch.rank, control, stream), step.work);
  for (const SignalRaise& raise : step.raises) raise_in_stream(raise, memory.epoch(step.launch.rank), stream);
}

}  // namespace meshmul::cuda
