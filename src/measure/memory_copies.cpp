#include "memory_copies.hpp"

#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "execute/cpu/doorbell.hpp"
#include "execute/cpu/own_cores.hpp"
#include "kernels/runs.hpp"

namespace meshmul::measure {
namespace {

// As meshmul copies, also past the caches.
void copy_bytes(std::byte* dst, const std::byte* src, std::int64_t bytes) { move_run(dst, 1, src, 1, bytes, 1); }

}  // namespace

MemoryCopies::MemoryCopies(Team& team, std::int64_t bytes_to_write, std::int64_t bytes_to_get)
    : team_(team),
      bytes_to_get_(bytes_to_get),
      looks_(has_own_cores(team.size()) ? Doorbell::kPauses : Doorbell::kPausesOnSharedCore) {
  for (int number = 0; number < team.size(); ++number) {
    given_.push_back(MemoryMapping::anonymous(bytes_to_write));
    sources_.push_back(MemoryMapping::anonymous(bytes_to_write));
    if (bytes_to_get > 0) targets_.push_back(MemoryMapping::anonymous(bytes_to_get));
    const MemoryMapping& given = given_.back();
    std::memset(given.data(), 1, static_cast<std::size_t>(given.num_bytes()));
  }
}

double MemoryCopies::run(int times) {
  arrived_ = 0;
  return team_.run([&](int number) {
    std::int64_t met = 0;
    for (int i = 0; i < times; ++i) write_and_get(number, met);
  });
}

// A barrier that never sleeps: a thread looks a while, and then yields, as ranks do.
void MemoryCopies::meet(std::int64_t& met) {
  const std::int64_t all = ++met * team_.size();
  arrived_.fetch_add(1);
  for (int i = 0; arrived_.load() < all; ++i)
    if (i >= looks_) sched_yield();
}

void MemoryCopies::write_and_get(int number, std::int64_t& met) {
  const auto own = static_cast<std::size_t>(number);
  const std::int64_t bytes = sources_[own].num_bytes();
  copy_bytes(sources_[own].data(), given_[own].data(), bytes);
  if (bytes_to_get_ == 0) return;
  meet(met);
  const MemoryMapping& source = sources_[(own + 1) % sources_.size()];
  const MemoryMapping& target = targets_[own];
  for (std::int64_t i = 0; i < bytes_to_get_; i += bytes)
    copy_bytes(target.data() + i, source.data(), std::min(bytes, bytes_to_get_ - i));
  meet(met);
}

}  // namespace meshmul::measure
