#pragma once
// The ops of a schedule and when they ran, as arrays of numbers: a page has tens of thousands of them.

#include <cstdint>
#include <optional>

#include "draw/json_writer.hpp"
#include "draw/op_facts.hpp"
#include "meshmul/draw.hpp"

namespace meshmul::drawing {

/// Members of an object that is open. Ops are numbered as they stand: lane after lane, those of ranks that are drawn.
///   - `words`: of which ops consist.
///   - `lanes`: [{"rank", "name", "line", "ops"}, …]. `line` is that of the first op, where the others follow line by
///     line, or has one number an op. `ops` has for each op: how many words, their numbers, bytes written; and of a put or
///     get then the ranks that its bytes come from and go to.
///   - `arrows`: from, to, from, to, …
void write_ops(JsonWriter& json, const Drawing& drawing);

/// {"measured", "makespan", "times", "links", "uses", "path"}; picoseconds.
///   - `times`: for each op its start, counted from that of the op in front of it in its lane, and its duration.
///   - `links`: [[name, from, to], …], the ends as in Link. `uses`: link, op, start, end, …
///   - `path`: number of the blame, op (-1: not drawn), start, end, …
void write_timeline(JsonWriter& json, const Drawing& drawing, const Timeline& timeline);

}  // namespace meshmul::drawing
