#include "sum_round.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshmul {

SumRound::SumRound(ScheduleBuilder& builder, int axis, std::vector<Stream> streams, BoxStacks stacks, Places terms,
                   Places sums)
    : builder_(builder),
      rings_(rings_along(builder.mesh(), {axis})),
      stacks_(std::move(stacks)),
      terms_(std::move(terms)),
      sums_(std::move(sums)) {
  for (Stream& stream : streams) ways_.push_back({std::move(stream), {}, ways_.empty()});
}

void SumRound::add_slots(const std::string& name, Dtype dtype) {
  for (Way& way : ways_)
    for (int slot = 0; slot < std::min(2, way.stream.num_hops - (way.ends_in_sums ? 1 : 0)); ++slot)
      way.slots.push_back(
          builder_.add_buffer(fmt::format("{}.{}{}", name, way.stream.name, slot), dtype, stacks_.shape()));
}

void SumRound::hop(int block, int distance) {
  for (const Ring& ring : rings_)
    for (const Way& way : ways_)
      for (int position = 0; position < ring.size(); ++position) {
        if (distance < way.stream.num_hops) add_own_terms(way, ring, position, block, distance);
        send(way, ring, position, block, distance);
      }
}

void SumRound::end(int block) {
  for (const Ring& ring : rings_)
    for (int position = 0; position < ring.size(); ++position) {
      add_own_terms(ways_.front(), ring, position, block, 0);
      for (std::size_t i = 1; i < ways_.size(); ++i) add_up(ways_[i], ring, position, block);
    }
}

// `part` of a block in the stack of member `position`, where it lies `distance` hops before.
Region SumRound::sum(const Way& way, const Ring& ring, int position, int distance, int owner, const Box& part) const {
  const int rank = ring.rank(position - way.stream.step * distance);
  if (distance == 0 && way.ends_in_sums) return sums_(rank, owner, part);
  return stacks_.region(rank, way.slots[static_cast<std::size_t>(distance) % way.slots.size()], ring.rank(position),
                        owner, part);
}

int SumRound::owner_of(const Ring& ring, int position, int block) const {
  return stacks_.owners(ring.rank(position))[static_cast<std::size_t>(block)];
}

void SumRound::send(const Way& way, const Ring& ring, int position, int block, int distance) {
  const int here = ring.rank(position - way.stream.step * distance);
  const int owner = owner_of(ring, position, block);
  const Box part = way.stream.share(stacks_.block(owner), distance);
  if (part.empty()) return;
  const Region source =
      distance == way.stream.num_hops ? terms_(here, owner, part) : sum(way, ring, position, distance, owner, part);
  builder_.put(way.stream.lane, sum(way, ring, position, distance - 1, owner, part), source);
}

// What came from farther away is added to, and the rest begins here.
void SumRound::add_own_terms(const Way& way, const Ring& ring, int position, int block, int distance) {
  const int here = ring.rank(position - way.stream.step * distance);
  const int owner = owner_of(ring, position, block);
  const Box& whole = stacks_.block(owner);
  const Box wanted = distance == 0 ? whole : way.stream.share(whole, distance);
  const Box received = way.stream.share(whole, distance + 1);
  if (!received.empty())
    builder_.reduce(sum(way, ring, position, distance, owner, received), terms_(here, owner, received));
  for (const Box& rest : subtract(wanted, received))
    builder_.copy(sum(way, ring, position, distance, owner, rest), terms_(here, owner, rest));
}

// Adds what came to the owner in `way` to the sums.
void SumRound::add_up(const Way& way, const Ring& ring, int position, int block) {
  const int owner = owner_of(ring, position, block);
  const Box part = way.stream.share(stacks_.block(owner), 1);
  if (part.empty()) return;
  builder_.reduce(sums_(ring.rank(position), owner, part), sum(way, ring, position, 0, owner, part));
}

}  // namespace meshmul
