#include "op_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/did_you_mean.hpp"
#include "base/einsum.hpp"
#include "meshmul/error.hpp"
#include "vocabulary.hpp"

namespace meshmul {
namespace {

// An op of each kind, in the order of the alternatives, so that a mnemonic's position chooses what is read.
template <std::size_t... Is>
std::array<Op, sizeof...(Is)> one_of_each(std::index_sequence<Is...>) {
  return {Op(std::in_place_index<Is>)...};
}

[[noreturn]] void fail_unknown(const TextCursor& cursor, std::string_view what, std::string_view word,
                               const std::vector<std::string>& known) {
  cursor.fail_at(word, fmt::format("unknown {} '{}'; expected one of {}{}", what, word, fmt::join(known, ", "),
                                   did_you_mean(word, known)));
}

int read_declared(TextCursor& cursor, std::string_view what, const NameTable& names) {
  const std::string_view name = cursor.word(fmt::format("a {}", what));
  const auto found = names.find(name);
  if (found != names.end()) return found->second;
  std::vector<std::string> declared;
  for (const auto& [known, number] : names) declared.emplace_back(known);
  std::sort(declared.begin(), declared.end());
  cursor.fail_at(name, fmt::format("{} {} is not declared{}", what, name, did_you_mean(name, declared)));
}

// One overload an op: a new op does not compile until it is read.
class OpReader {
 public:
  OpReader(TextCursor& cursor, const Declarations& declarations, int rank)
      : cursor_(cursor), declarations_(declarations), rank_(rank) {}

  void operator()(Put& op) {
    op.dst = region();
    op.src = region();
    op.arrived = required_signal("arrived");
    op.sent = optional_signal("sent");
  }
  void operator()(Get& op) {
    op.dst = region();
    op.src = region();
    op.arrived = required_signal("arrived");
    op.taken = optional_signal("taken");
  }
  void operator()(Signal& op) {
    op.peer = cursor_.number_below(declarations_.num_ranks, "a rank");
    op.signal = signal();
  }
  void operator()(Wait& op) {
    op.signal = signal();
    cursor_.expect(">=");
    op.threshold = static_cast<std::uint64_t>(cursor_.number("a threshold"));
  }
  void operator()(Copy& op) { move(op); }
  void operator()(Reduce& op) { move(op); }
  void operator()(Gemm& op) {
    op.c = region();
    op.a = region();
    op.b = region();
    op.einsum = einsum();
    op.accumulate = cursor_.accept_word("accumulate");
    op.arrived = optional_signal("arrived");
  }
  void operator()(Map& op) {
    op.dst = region();
    op.function = function();
    for (int i = 0; i < num_sources(op.function); ++i) op.srcs.push_back(region());
    if (cursor_.accept_word("along")) op.along = cursor_.number_below(op.dst.box.num_dims(), "a dimension");
    op.arrived = optional_signal("arrived");
  }

 private:
  template <class CopyOrReduce>
  void move(CopyOrReduce& op) {
    op.dst = region();
    op.src = region();
    if (cursor_.accept_word("permute")) {
      const int dims = op.dst.box.num_dims();
      while (!cursor_.at_end() && cursor_.peek_word().empty())
        op.permutation.push_back(cursor_.number_below(dims, "a dimension"));
      if (op.permutation.empty()) cursor_.fail_expected("a dimension");
    }
    op.arrived = optional_signal("arrived");
  }

  Region region() {
    Region region{rank_, read_buffer(cursor_, declarations_), {}};
    if (cursor_.accept("@")) region.rank = cursor_.number_below(declarations_.num_ranks, "a rank");
    region.box = cursor_.box();
    return region;
  }

  int signal() { return read_declared(cursor_, "signal", declarations_.signals); }
  int required_signal(std::string_view word) {
    cursor_.expect_word(word);
    return signal();
  }
  std::optional<int> optional_signal(std::string_view word) {
    if (!cursor_.accept_word(word)) return std::nullopt;
    return signal();
  }

  std::string einsum() {
    const std::string_view text = cursor_.token("an einsum such as ij,jk->ik");
    try {
      return parse_einsum(text).str();
    } catch (const Error& error) {
      const std::size_t within = error.place() ? error.place()->offset : 0;
      cursor_.fail_at(text.substr(std::min(within, text.size())), error.what());
    }
  }

  MapFunction function() {
    const std::string_view word = cursor_.word("a function");
    if (const auto function = parse_map_function(word)) return *function;
    std::vector<std::string> names;
    for (const MapFunction known : kAllMapFunctions) names.emplace_back(name(known));
    fail_unknown(cursor_, "function", word, names);
  }

  TextCursor& cursor_;
  const Declarations& declarations_;
  int rank_;
};

}  // namespace

int read_buffer(TextCursor& cursor, const Declarations& declarations) {
  return read_declared(cursor, "buffer", declarations.buffers);
}

Op read_op(TextCursor& cursor, const Declarations& declarations, int rank) {
  static const auto kBlankOps = one_of_each(std::make_index_sequence<std::variant_size_v<Op>>());
  const std::string_view word = cursor.word("an op");
  const auto known = std::find(kMnemonics.begin(), kMnemonics.end(), word);
  if (known == kMnemonics.end()) fail_unknown(cursor, "op", word, {kMnemonics.begin(), kMnemonics.end()});
  Op op = kBlankOps[static_cast<std::size_t>(known - kMnemonics.begin())];
  std::visit(OpReader(cursor, declarations, rank), op);
  cursor.expect_end();
  return op;
}

}  // namespace meshmul
