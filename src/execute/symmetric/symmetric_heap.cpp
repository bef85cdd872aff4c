#include "meshmul/symmetric_heap.hpp"

#include <fmt/format.h>

#include "heap_state.hpp"
#include "meshmul/error.hpp"
#include "spmd_run.hpp"

namespace meshmul {

const std::string& SymmetricBuffer::name() const { return heap_->buffer(index_).declared.name; }
Dtype SymmetricBuffer::dtype() const { return heap_->buffer(index_).declared.dtype; }
const Shape& SymmetricBuffer::shape() const { return heap_->buffer(index_).declared.shape; }

SymmetricSlice SymmetricBuffer::operator[](const Box& box) const {
  heap_->require_box(index_, box);
  return {heap_, index_, box};
}

SymmetricSlice SymmetricBuffer::rows(std::int64_t begin, std::int64_t end) const {
  Box box = Box::whole(shape());
  if (box.num_dims() == 0)
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{} has no dimension, and so no rows", name()));
  box[0] = {begin, end};
  return (*this)[box];
}

const std::string& SymmetricSignal::name() const { return heap_->signal(index_).name; }

const SymmetricHeapOptions& SymmetricHeapOptions::defaults() {
  static const SymmetricHeapOptions options;
  return options;
}

SymmetricHeap::SymmetricHeap(std::unique_ptr<HeapState> state) : state_(std::move(state)) {}
SymmetricHeap::SymmetricHeap(SymmetricHeap&&) noexcept = default;
SymmetricHeap& SymmetricHeap::operator=(SymmetricHeap&&) noexcept = default;
SymmetricHeap::~SymmetricHeap() = default;

SymmetricHeap SymmetricHeap::threads(Mesh mesh, const SymmetricHeapOptions& options) {
  return on("threads", std::move(mesh), options);
}
SymmetricHeap SymmetricHeap::reference(Mesh mesh, const SymmetricHeapOptions& options) {
  return on("reference", std::move(mesh), options);
}
SymmetricHeap SymmetricHeap::on(std::string_view backend, Mesh mesh, const SymmetricHeapOptions& options) {
  if (backend == "processes")
    throw Error(
        ErrorCode::kUnsupported,
        "a symmetric heap cannot be on 'processes': its ranks are programs of their own, in which a function of "
        "this program is not; take 'threads' or 'reference'");
  if (backend != "threads" && backend != "reference")
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("there is no backend '{}' for a symmetric heap; expected threads or reference", backend));
  return SymmetricHeap(std::make_unique<HeapState>(std::move(mesh), options, backend == "reference"));
}

const Mesh& SymmetricHeap::mesh() const { return state_->mesh(); }

SymmetricBuffer SymmetricHeap::allocate(const std::string& name, Dtype dtype, const Shape& shape) {
  return state_->allocate(name, dtype, shape);
}

SymmetricSignal SymmetricHeap::signal(const std::string& name) { return state_->add_signal(name); }

std::vector<SymmetricSignal> SymmetricHeap::signals(const std::string& name, int count) {
  std::vector<SymmetricSignal> signals;
  for (int i = 0; i < count; ++i) signals.push_back(signal(fmt::format("{}.{}", name, i)));
  return signals;
}

View SymmetricHeap::view(int rank, const SymmetricSlice& slice) { return state_->view(rank, slice); }

void SymmetricHeap::spmd(const std::function<void(Rank&)>& function) {
  state_->begin_run();
  struct End {
    HeapState& heap;
    ~End() { heap.end_run(); }
  } end{*state_};
  SpmdRun(*state_, function).carry_out();
}

}  // namespace meshmul
