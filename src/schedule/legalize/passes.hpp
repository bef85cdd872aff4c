#pragma once
// The rewrites of `legalize`, in the order in which they run: each may leave work for the next.

#include "draft.hpp"

namespace meshmul {

/// Without addressable peers: what gemm, reduce, map or copy read at a peer is got before, what they write there is put
/// behind, both through staging memory of the own rank. Leaves gets and puts.
void keep_touches_local(Draft& draft);

/// Without gets, and for those with a strided source where only contiguous boxes travel: the owner serves. The lane that
/// wants the data asks for it, and a lane `serve…` of the owner puts it. Whatever the asking lane knew to be over, the
/// serving lane knows too once it has been asked, so the put starts no earlier than the get could have.
void serve_gets(Draft& draft, const Capabilities& available);

/// Where only contiguous boxes travel: a strided source is packed before it is put; what goes to a strided destination
/// goes to staging memory there, and a lane `unpack…` copies it out. Every get has a contiguous source already.
void pack_strided(Draft& draft);

/// Without a barrier between runs. Who touches memory of a peer waits until that one has begun its run, and no rank is
/// through before all that touches its memory is over: a lane `gate` of each rank tells its peers the one, and waits to be
/// told the other. What the signals that are there tell already is not told again.
void keep_runs_apart(Draft& draft);

}  // namespace meshmul
