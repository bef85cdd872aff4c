#include "perform.hpp"

#include <cassert>
#include <vector>

#include "base/einsum.hpp"

namespace meshmul {
namespace {

// One overload an op: a new op does not compile until it is performed.
struct Performer {
  const Schedule& schedule;
  Memory& memory;
  LocalProductLibrary& products;

  View view(const Region& region) { return memory.view(schedule, region); }

  void operator()(const Put&) { assert(false); }
  void operator()(const Get&) { assert(false); }
  void operator()(const Signal&) {}
  void operator()(const Wait&) {}
  void operator()(const Copy& op) { meshmul::copy(view(op.dst), view(op.src), op.permutation); }
  void operator()(const Reduce& op) { meshmul::reduce(view(op.dst), view(op.src), op.permutation); }
  void operator()(const Gemm& op) {
    products.gemm(view(op.c), view(op.a), view(op.b), parse_einsum(op.einsum), op.accumulate);
  }
  void operator()(const Map& op) {
    std::vector<ConstView> srcs;
    for (const Region& src : op.srcs) srcs.push_back(view(src));
    meshmul::map(view(op.dst), op.function, srcs, op.along);
  }
};

}  // namespace

void perform(const Op& op, const Schedule& schedule, Memory& memory, LocalProductLibrary& products) {
  std::visit(Performer{schedule, memory, products}, op);
}

}  // namespace meshmul
