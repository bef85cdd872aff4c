#include "merged_gemms.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "base/einsum.hpp"

namespace meshmul {
namespace {

// The memory of a buffer, that of all ranks if their shards lie one after another, and a box of it.
struct Place {
  int buffer = 0;
  int rank = 0;  // of the memory; 0 if it is that of all ranks
  Box box;

  bool same_memory(const Place& other) const { return buffer == other.buffer && rank == other.rank; }
  bool overlaps(const Place& other) const { return same_memory(other) && overlap(box, other.box); }
  bool operator==(const Place&) const = default;
};

// A gemm, or several that were joined.
struct Product {
  std::vector<int> ops;
  Place a, b, c;
  bool accumulate = false;

  std::array<Place*, 3> places() { return {&a, &b, &c}; }
  std::array<const Place*, 3> places() const { return {&a, &b, &c}; }
};

// Boxes of one memory that are one box together: the dimension in which they differ, and whether the second comes first.
struct Adjacency {
  int dim = 0;
  bool reversed = false;
};
std::optional<Adjacency> adjacency(const Box& first, const Box& second) {
  std::optional<Adjacency> found;
  for (int d = 0; d < first.num_dims(); ++d) {
    if (first[d] == second[d]) continue;
    const bool behind = first[d].end == second[d].begin;
    if (found || (!behind && second[d].end != first[d].begin)) return std::nullopt;
    found = Adjacency{d, !behind};
  }
  return found;
}

void extend(Box& box, int dim, Interval by) {
  box[dim] = {std::min(box[dim].begin, by.begin), std::max(box[dim].end, by.end)};
}

// A sequence of gemms with nothing in between, as products of which none can be joined.
class Run {
 public:
  Run(const Schedule& schedule, std::string einsum)
      : schedule_(schedule), einsum_(std::move(einsum)), letters_(parse_einsum(einsum_)) {}

  // False if the gemm does not belong to this run: another einsum, or memory that the run uses otherwise.
  bool add(int op, const Gemm& gemm) {
    Product product{{op}, place(gemm.a), place(gemm.b), place(gemm.c), gemm.accumulate};
    if (gemm.einsum != einsum_ || conflicts(product)) return false;
    products_.push_back(std::move(product));
    join_all(products_.size() - 1);
    return true;
  }

  std::vector<MergedGemm> merged() const {
    std::vector<MergedGemm> all;
    for (const Product& product : products_)
      all.push_back({product.ops, region(product.c), region(product.a), region(product.b), product.accumulate});
    return all;
  }

 private:
  bool is_one_array(int buffer) const {
    const BufferDecl& decl = schedule_.buffers[static_cast<std::size_t>(buffer)];
    return decl.symmetric && !decl.shape.empty();
  }
  std::int64_t rows(int buffer) const { return schedule_.buffers[static_cast<std::size_t>(buffer)].shape.front(); }

  Place place(const Region& region) const {
    if (!is_one_array(region.buffer)) return {region.buffer, region.rank, region.box};
    Box box = region.box;
    const std::int64_t offset = region.rank * rows(region.buffer);
    box[0] = {box[0].begin + offset, box[0].end + offset};
    return {region.buffer, 0, box};
  }

  Region region(const Place& place) const {
    if (!is_one_array(place.buffer) || rows(place.buffer) == 0) return {place.rank, place.buffer, place.box};
    Box box = place.box;
    const auto rank = static_cast<int>(box[0].begin / rows(place.buffer));
    const std::int64_t offset = rank * rows(place.buffer);
    box[0] = {box[0].begin - offset, box[0].end - offset};
    return {rank, place.buffer, box};
  }

  // All products of a run may be done in any order, but those that add to the same sum: there the one that does not
  // accumulate, if any, comes first.
  bool conflicts(const Product& next) const {
    return std::any_of(products_.begin(), products_.end(), [&](const Product& earlier) {
      const bool reads_result = next.a.overlaps(earlier.c) || next.b.overlaps(earlier.c);
      const bool overwrites_operand = next.c.overlaps(earlier.a) || next.c.overlaps(earlier.b);
      return reads_result || overwrites_operand || (next.c.overlaps(earlier.c) && !next.accumulate);
    });
  }

  // Joins the product at `changed` with others for as long as there are such.
  void join_all(std::size_t changed) {
    for (std::size_t other = 0; other < products_.size();) {
      const std::size_t first = std::min(changed, other);
      const std::size_t second = std::max(changed, other);
      if (other == changed || !join(first, second)) {
        ++other;
        continue;
      }
      products_.erase(products_.begin() + static_cast<std::ptrdiff_t>(second));
      changed = first;
      other = 0;
    }
  }

  // Makes the product at `first` the one of both if they are one, and `second` may be done that early.
  bool join(std::size_t first, std::size_t second) {
    Product& earlier = products_[first];
    const Product& later = products_[second];
    const std::array<const std::string*, 3> letters{&letters_.a, &letters_.b, &letters_.c};
    std::optional<std::pair<char, bool>> index;  // in which they differ, and whether the later one comes first
    std::array<std::optional<Adjacency>, 3> adjacent;
    for (std::size_t i = 0; i < 3; ++i) {
      const Place& one = *std::as_const(earlier).places()[i];
      const Place& two = *later.places()[i];
      if (one == two) continue;
      if (!one.same_memory(two) || one.box.empty() || two.box.empty()) return false;
      adjacent[i] = adjacency(one.box, two.box);
      if (!adjacent[i]) return false;
      const std::pair found((*letters[i])[static_cast<std::size_t>(adjacent[i]->dim)], adjacent[i]->reversed);
      if (index && *index != found) return false;
      index = found;
    }
    if (!index) return false;
    for (std::size_t i = 0; i < 3; ++i)
      if ((letters[i]->find(index->first) != std::string::npos) != adjacent[i].has_value()) return false;
    const bool contracted = letters_.c.find(index->first) == std::string::npos;
    if (contracted ? !later.accumulate : later.accumulate != earlier.accumulate) return false;
    if (!can_pass(first, second)) return false;

    for (std::size_t i = 0; i < 3; ++i)
      if (adjacent[i]) extend(earlier.places()[i]->box, adjacent[i]->dim, later.places()[i]->box[adjacent[i]->dim]);
    earlier.ops.insert(earlier.ops.end(), later.ops.begin(), later.ops.end());
    std::sort(earlier.ops.begin(), earlier.ops.end());
    return true;
  }

  // Whether the product at `second` may be done right behind the one at `first`: nothing in between begins a sum that it
  // adds to.
  bool can_pass(std::size_t first, std::size_t second) const {
    for (std::size_t i = first + 1; i < second; ++i)
      if (!products_[i].accumulate && products_[i].c.overlaps(products_[second].c)) return false;
    return true;
  }

  const Schedule& schedule_;
  std::string einsum_;
  Einsum letters_;
  std::vector<Product> products_;
};

}  // namespace

std::vector<MergedGemm> merged_gemms(const Schedule& schedule, const Lane& lane) {
  std::vector<MergedGemm> all;
  std::optional<Run> run;
  const auto end_run = [&] {
    if (!run) return;
    for (MergedGemm& merged : run->merged()) all.push_back(std::move(merged));
    run.reset();
  };
  for (int i = 0; i < static_cast<int>(lane.ops.size()); ++i) {
    const auto* gemm = std::get_if<Gemm>(&lane.ops[static_cast<std::size_t>(i)]);
    if (gemm == nullptr) {
      end_run();
      continue;
    }
    if (run && run->add(i, *gemm)) {
      if (gemm->arrived) end_run();
      continue;
    }
    end_run();
    run.emplace(schedule, gemm->einsum);
    run->add(i, *gemm);
    if (gemm->arrived) end_run();
  }
  end_run();
  return all;
}

}  // namespace meshmul
