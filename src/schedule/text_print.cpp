// Prints a schedule: one item a line, in the order contract, buffers, signals, holdings, ranks.

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "meshmul/schedule.hpp"
#include "vocabulary.hpp"

namespace meshmul {
namespace {

class Printer {
 public:
  explicit Printer(const Schedule& schedule) : schedule_(schedule) {}

  std::string take() { return fmt::to_string(out_); }

  void print_schedule() {
    const Contract& contract = schedule_.contract;
    emit("meshmul schedule 1\nmesh");
    if (contract.mesh.num_axes() > 0) emit(" {}", contract.mesh.str());
    print_capabilities();
    for (const ContractStatement& statement : contract.statements)
      emit("\nstatement {}", to_string(statement, contract.mesh));
    if (contract.displaced) emit("\ndisplaced");
    for (const BufferDecl& buffer : schedule_.buffers)
      emit("\nbuffer {} {} [{}] {}", buffer.name, name(buffer.dtype), fmt::join(buffer.shape, ", "),
           buffer.symmetric ? "symmetric" : "private");
    for (const SignalDecl& signal : schedule_.signals) emit("\nsignal {}", signal.name);
    for (const Holding& holding : contract.inputs) print_holding("input", holding);
    for (const Holding& holding : contract.outputs) print_holding("output", holding);
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank) print_rank(rank);
    emit("\n");
  }

  void print_region(int rank, const Region& region) {
    rank_ = rank;
    emit("{}", buffer(region.buffer));
    if (region.rank != rank_) emit("@{}", region.rank);
    print_box(region.box);
  }

  void print_op(int rank, const Op& op) {
    rank_ = rank;
    emit("{}", mnemonic(op));
    std::visit([this](const auto& alternative) { print(alternative); }, op);
  }

 private:
  template <class... Args>
  void emit(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void print_capabilities() {
    const auto& [get, addressable, strided, barrier] = schedule_.capabilities;
    emit("\nrequires{}{}{}{}{}", get ? " get" : "", addressable ? " addressable" : "", strided ? " strided" : "",
         barrier ? " barrier" : "", get || addressable || strided || barrier ? "" : " nothing");
  }

  void print_holding(std::string_view word, const Holding& holding) {
    const Region& region = holding.region;
    emit("\n{} {} rank {} ", word, holding.array, region.rank);
    print_box(holding.global);
    emit(" at {}", buffer(region.buffer));
    print_box(region.box);
  }

  void print_rank(int rank) {
    const RankProgram& program = schedule_.ranks[static_cast<std::size_t>(rank)];
    if (!program.lanes.empty()) emit("\nrank {}", rank);
    for (const Lane& lane : program.lanes) {
      emit("\n  lane {}", lane.name);
      for (const Op& op : lane.ops) {
        emit("\n    ");
        print_op(rank, op);
      }
    }
  }

  void print(const Put& op) {
    print(op.dst);
    print(op.src);
    emit(" arrived {}", signal(op.arrived));
    print_signal("sent", op.sent);
  }
  void print(const Get& op) {
    print(op.dst);
    print(op.src);
    emit(" arrived {}", signal(op.arrived));
    print_signal("taken", op.taken);
  }
  void print(const Signal& op) { emit(" {} {}", op.peer, signal(op.signal)); }
  void print(const Wait& op) { emit(" {} >= {}", signal(op.signal), op.threshold); }
  void print(const Copy& op) { print_move(op); }
  void print(const Reduce& op) { print_move(op); }
  void print(const Gemm& op) {
    print(op.c);
    print(op.a);
    print(op.b);
    emit(" {}", op.einsum);
    if (op.accumulate) emit(" accumulate");
    print_signal("arrived", op.arrived);
  }
  void print(const Map& op) {
    print(op.dst);
    emit(" {}", name(op.function));
    for (const Region& src : op.srcs) print(src);
    if (op.along) emit(" along {}", *op.along);
    print_signal("arrived", op.arrived);
  }

  template <class CopyOrReduce>
  void print_move(const CopyOrReduce& op) {
    print(op.dst);
    print(op.src);
    if (!op.permutation.empty()) emit(" permute {}", fmt::join(op.permutation, " "));
    print_signal("arrived", op.arrived);
  }

  void print_signal(std::string_view word, const std::optional<int>& number) {
    if (number) emit(" {} {}", word, signal(*number));
  }

  void print(const Region& region) {
    emit(" ");
    print_region(rank_, region);
  }

  void print_box(const Box& box) {
    out_.push_back('[');
    for (int d = 0; d < box.num_dims(); ++d) emit("{}{}:{}", d > 0 ? ", " : "", box[d].begin, box[d].end);
    out_.push_back(']');
  }

  // A schedule that is not well formed is printed too, in findings about it.
  std::string_view buffer(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return i < schedule_.buffers.size() ? schedule_.buffers[i].name : std::string_view("?");
  }
  std::string_view signal(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return i < schedule_.signals.size() ? schedule_.signals[i].name : std::string_view("?");
  }

  const Schedule& schedule_;
  int rank_ = 0;
  fmt::memory_buffer out_;
};

}  // namespace

std::string to_string(const Schedule& schedule) {
  Printer printer(schedule);
  printer.print_schedule();
  return printer.take();
}

std::string to_string(const Schedule& schedule, int rank, const Op& op) {
  Printer printer(schedule);
  printer.print_op(rank, op);
  return printer.take();
}

std::string to_string(const Schedule& schedule, int rank, const Region& region) {
  Printer printer(schedule);
  printer.print_region(rank, region);
  return printer.take();
}

}  // namespace meshmul
