#pragma once
// Numbered boxes, found by what they overlap. They are sorted along one dimension, that in which they differ most, and apart
// by their size there: so a few large boxes do not make it necessary to look at many small ones.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "meshmul/box.hpp"

namespace meshmul {

/// All boxes have the same number of dimensions, and none is empty. A number may have several boxes.
class BoxIndex {
 public:
  void add(int number, const Box& box);
  /// Takes `box` away from all boxes. One that would fall into pieces stays as it is.
  void cut_out(const Box& box);

  /// Calls `visit(number)` for each box that overlaps `box`.
  template <class Visit>
  void visit_overlapping(const Box& box, const Visit& visit) const {
    const Interval wanted = along(box);
    for (const SizeClass& of_size : sizes_)
      for (auto entry = first_near(of_size, wanted); entry != of_size.by_begin.end() && entry->begin < wanted.end;
           ++entry)
        if (entry->end > wanted.begin && overlap(at(*entry).box, box)) visit(at(*entry).number);
  }

 private:
  struct NumberedBox {
    int number = 0;
    Box box;
  };
  struct Entry {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::size_t place = 0;  // in boxes_
  };
  // The boxes of at most `max_size`, a power of two, and more than half of it.
  struct SizeClass {
    std::int64_t max_size = 0;
    std::vector<Entry> by_begin;
  };

  Interval along(const Box& box) const { return box.num_dims() == 0 ? Interval{0, 1} : box[dim_]; }
  const NumberedBox& at(const Entry& entry) const { return boxes_[entry.place]; }

  // Those before it end before `interval` begins.
  static std::vector<Entry>::const_iterator first_near(const SizeClass& of_size, Interval interval) {
    return std::upper_bound(of_size.by_begin.begin(), of_size.by_begin.end(), interval.begin - of_size.max_size,
                            [](std::int64_t begin, const Entry& entry) { return begin < entry.begin; });
  }

  std::vector<Entry>& entries_of_size(std::int64_t size);
  void insert(std::size_t place);
  void choose_dimension();
  std::size_t count_begins(int dim) const;

  static constexpr std::size_t kFewBoxes = 16;

  int dim_ = 0;
  std::size_t choose_at_ = kFewBoxes;  // the number of boxes at which the dimension is chosen again
  std::vector<NumberedBox> boxes_;
  std::vector<std::size_t> unused_;  // places in boxes_
  std::vector<SizeClass> sizes_;
};

}  // namespace meshmul
