#include "memory_copies.hpp"

#include <algorithm>
#include <cstring>

namespace meshmul::measure {

MemoryCopies::MemoryCopies(Team& team, std::int64_t bytes, CopySource source) : team_(team), source_(source) {
  for (int number = 0; number < team.size(); ++number) {
    sources_.push_back(MemoryMapping::anonymous(bytes));
    targets_.push_back(MemoryMapping::anonymous(bytes));
  }
}

double MemoryCopies::seconds() {
  ++round_;
  team_.run([&](int number) {
    const MemoryMapping& source = sources_[static_cast<std::size_t>(number)];
    std::memset(source.data(), round_ + number, static_cast<std::size_t>(source.num_bytes()));
  });
  return team_.run([&](int number) {
    const int from = source_ == CopySource::kOwn ? number : (number + 1) % team_.size();
    const MemoryMapping& source = sources_[static_cast<std::size_t>(from)];
    std::memcpy(targets_[static_cast<std::size_t>(number)].data(), source.data(),
                static_cast<std::size_t>(source.num_bytes()));
  });
}

}  // namespace meshmul::measure
