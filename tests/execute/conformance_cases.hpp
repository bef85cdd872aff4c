#pragma once
// The schedules that every executor must carry out, with what their buffers hold before and after each run.

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "meshmul/execute.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul {

struct ConformanceCase {
  std::string name;
  std::string text;
  /// Value `i` of an f32 buffer: what the host writes into the buffers named `in…` before run `run`, and what it must
  /// find in those named `out…` after it. Values are small integers, so that sums are exact in any order.
  std::function<float(const std::string& buffer, int rank, int run, int i)> value;
};

/// The elements of an f32 buffer.
inline std::span<float> elements(Session& session, int rank, int buffer) {
  const std::span<std::byte> bytes = session.buffer(rank, buffer);
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

/// The schedule of a case: every buffer named `in…` is an input on every rank.
inline Schedule schedule_of(const ConformanceCase& test) {
  Schedule schedule = parse_schedule(test.text);
  for (int buffer = 0; buffer < static_cast<int>(schedule.buffers.size()); ++buffer) {
    const BufferDecl& decl = schedule.buffers[static_cast<std::size_t>(buffer)];
    if (!decl.name.starts_with("in")) continue;
    const Box whole = Box::whole(decl.shape);
    for (int rank = 0; rank < schedule.num_ranks(); ++rank)
      schedule.contract.inputs.push_back({"A", whole, {rank, buffer, whole}});
  }
  return schedule;
}

/// What every text begins with. All buffers are f32.
inline std::string header(int num_ranks) {
  return fmt::format("meshmul schedule 1\nmesh X={}\nrequires barrier get addressable strided\n", num_ranks);
}

/// Each rank gets the two elements of every peer; peers may overwrite them once they are taken.
inline ConformanceCase gets_from_all(int num_ranks) {
  std::string text = header(num_ranks) + "buffer in f32 [2] symmetric\n";
  text += fmt::format("buffer out f32 [{}] symmetric\nsignal got\n", 2 * num_ranks);
  for (int rank = 0; rank < num_ranks; ++rank) text += fmt::format("signal taken.{}\n", rank);
  for (int rank = 0; rank < num_ranks; ++rank) {
    text += fmt::format("rank {}\n  lane copy0\n", rank);
    for (int i = 1; i < num_ranks; ++i) {
      const int peer = (rank + i) % num_ranks;
      text +=
          fmt::format("    get out[{}:{}] in@{}[0:2] arrived got taken taken.{}\n", 2 * peer, 2 * peer + 2, peer, rank);
    }
    text += fmt::format("  lane compute\n    copy out[{}:{}] in[0:2]\n    wait got >= {}\n", 2 * rank, 2 * rank + 2,
                        num_ranks - 1);
    for (int peer = 0; peer < num_ranks; ++peer)
      if (peer != rank) text += fmt::format("    wait taken.{} >= 1\n", peer);
  }
  return {"gets_from_all", text, [](const std::string& buffer, int rank, int run, int i) {
            const int owner = buffer == "in" ? rank : i / 2;
            return static_cast<float>(100 * run + 10 * owner + i % 2);
          }};
}

/// The ring AllGather: what came from the left goes on to the right, straight into its place.
inline ConformanceCase puts_around_a_ring(int num_ranks) {
  std::string text = header(num_ranks) + "buffer in f32 [1, 3] symmetric\n";
  text += fmt::format("buffer out f32 [{}, 3] symmetric\nsignal came\nsignal gone\n", num_ranks);
  for (int rank = 0; rank < num_ranks; ++rank) {
    const int right = (rank + 1) % num_ranks;
    text += fmt::format("rank {0}\n  lane compute\n    copy out[{0}:{1}, 0:3] in[0:1, 0:3]\n", rank, rank + 1);
    for (int hop = 0; hop + 1 < num_ranks; ++hop) {
      const int owner = (rank - hop + num_ranks) % num_ranks;
      if (hop > 0) text += fmt::format("    wait came >= {}\n", hop);
      text += fmt::format("    put out@{0}[{1}:{2}, 0:3] out[{1}:{2}, 0:3] arrived came sent gone\n", right, owner,
                          owner + 1);
    }
    if (num_ranks > 1) text += fmt::format("    wait came >= {0}\n    wait gone >= {0}\n", num_ranks - 1);
  }
  return {"puts_around_a_ring", text, [](const std::string& buffer, int rank, int run, int i) {
            const int owner = buffer == "in" ? rank : i / 3;
            return static_cast<float>(1000 * run + 10 * owner + i % 3);
          }};
}

/// Five barriers over one word per ordered pair of ranks; between them each rank adds what its left neighbour wrote.
inline ConformanceCase barriers_between_rounds(int num_ranks) {
  constexpr int rounds = 5;
  std::string text =
      header(num_ranks) + "buffer in f32 [1] symmetric\nbuffer carry f32 [2] symmetric\nbuffer out f32 [1] symmetric\n";
  for (int rank = 0; rank < num_ranks; ++rank) text += fmt::format("signal met.{}\n", rank);
  for (int rank = 0; rank < num_ranks; ++rank) {
    const int left = (rank + num_ranks - 1) % num_ranks;
    text += fmt::format("rank {}\n  lane compute\n    copy carry[0:1] in[0:1]\n", rank);
    for (int round = 1; round <= rounds; ++round) {
      for (int peer = 0; peer < num_ranks; ++peer)
        if (peer != rank) text += fmt::format("    signal {} met.{}\n", peer, rank);
      for (int peer = 0; peer < num_ranks; ++peer)
        if (peer != rank) text += fmt::format("    wait met.{} >= {}\n", peer, round);
      const int from = (round + 1) % 2, to = round % 2;
      text += fmt::format("    copy carry[{}:{}] carry@{}[{}:{}]\n", to, to + 1, left, from, from + 1);
    }
    text += fmt::format("    copy out[0:1] carry[{}:{}]\n", rounds % 2, rounds % 2 + 1);
  }
  return {"barriers_between_rounds", text, [=](const std::string& buffer, int rank, int run, int) {
            const int owner = buffer == "in" ? rank : ((rank - rounds) % num_ranks + num_ranks) % num_ranks;
            return static_cast<float>(100 * run + owner);
          }};
}

/// Every rank multiplies by a matrix that the next one owns, in place, and lets it know.
inline ConformanceCase products_read_peers_in_place(int num_ranks) {
  std::string text =
      header(num_ranks) +
      "buffer in.a f32 [2, 3] symmetric\nbuffer in.b f32 [3, 2] symmetric\nbuffer out.c f32 [2, 2] symmetric\n"
      "buffer out.pushed f32 [2, 2] symmetric\nsignal pushed\n";
  for (int rank = 0; rank < num_ranks; ++rank) {
    const int next = (rank + 1) % num_ranks;
    text += fmt::format(
        "rank {0}\n  lane compute\n    gemm out.c[0:2, 0:2] in.a[0:2, 0:3] in.b@{1}[0:3, 0:2] ij,jk->ik\n"
        "    gemm out.c[0:2, 0:2] in.a[0:2, 0:3] in.b@{1}[0:3, 0:2] ij,jk->ik accumulate\n"
        "    copy out.pushed@{1}[0:2, 0:2] out.c[0:2, 0:2] permute 1 0 arrived pushed\n    wait pushed >= 1\n",
        rank, next);
  }
  return {"products_read_peers_in_place", text, [num_ranks](const std::string& buffer, int rank, int run, int i) {
            const auto a = [run](int owner, int row, int column) { return 3 * row + column + owner + run; };
            const auto b = [](int owner, int row, int column) { return row - 2 * column + owner; };
            if (buffer == "in.a") return static_cast<float>(a(rank, i / 3, i % 3));
            if (buffer == "in.b") return static_cast<float>(b(rank, i / 2, i % 2));
            // c = 2 a b of the own a and the next b; what was pushed is the previous rank's, transposed.
            const int owner = buffer == "out.c" ? rank : (rank + num_ranks - 1) % num_ranks;
            const int row = buffer == "out.c" ? i / 2 : i % 2;
            const int column = buffer == "out.c" ? i % 2 : i / 2;
            int sum = 0;
            for (int k = 0; k < 3; ++k) sum += a(owner, row, k) * b((owner + 1) % num_ranks, k, column);
            return static_cast<float>(2 * sum);
          }};
}

/// Partial sums of all ranks, added by their owner in rank order, then through elementwise functions.
inline ConformanceCase partial_sums_reach_their_owner(int num_ranks) {
  std::string text = header(num_ranks);
  text += fmt::format("buffer in f32 [{}] symmetric\nbuffer slot f32 [{}] symmetric\n", num_ranks, num_ranks);
  text += "buffer sum f32 [1] private\nbuffer out f32 [1] symmetric\n";
  for (int rank = 0; rank < num_ranks; ++rank) text += fmt::format("signal from.{}\n", rank);
  for (int rank = 0; rank < num_ranks; ++rank) {
    text += fmt::format("rank {}\n  lane copy0\n", rank);
    text += fmt::format("    copy slot[{0}:{1}] in[{0}:{1}] arrived from.{0}\n", rank, rank + 1);
    for (int peer = 0; peer < num_ranks; ++peer)
      if (peer != rank)
        text += fmt::format("    put slot@{0}[{1}:{2}] in[{0}:{3}] arrived from.{1}\n", peer, rank, rank + 1, peer + 1);
    text += "  lane compute\n    map sum[0:1] zero\n";
    for (int peer = 0; peer < num_ranks; ++peer)
      text += fmt::format("    wait from.{0} >= 1\n    reduce sum[0:1] slot[{0}:{1}]\n", peer, peer + 1);
    text += "    map sum[0:1] add sum[0:1] sum[0:1]\n    map out[0:1] relu sum[0:1]\n";
  }
  return {"partial_sums_reach_their_owner", text, [num_ranks](const std::string& buffer, int rank, int run, int i) {
            const auto partial = [run](int term, int owner) { return term * (owner - 3) + run; };
            if (buffer == "in") return static_cast<float>(partial(rank, i));
            int sum = 0;
            for (int term = 0; term < num_ranks; ++term) sum += partial(term, rank);
            return static_cast<float>(sum > 0 ? 2 * sum : 0);
          }};
}

/// Ops on empty boxes touch nothing and still raise; an empty contraction writes zeros.
inline ConformanceCase empty_boxes_still_raise(int num_ranks) {
  std::string text = header(num_ranks);
  text += "buffer in f32 [2, 2] symmetric\nbuffer out f32 [2, 2] symmetric\n";
  text += "signal a\nsignal b\nsignal c\nsignal d\n";
  for (int rank = 0; rank < num_ranks; ++rank) {
    const int next = (rank + 1) % num_ranks;
    text += fmt::format("rank {}\n  lane copy0\n", rank);
    text += "    copy out[0:2, 2:2] in[0:2, 0:0] arrived d\n";
    if (num_ranks > 1) {
      text += fmt::format("    put out@{}[1:1, 0:2] in[2:2, 0:2] arrived a sent b\n", next);
      text += fmt::format("    get out[0:0, 0:2] in@{}[1:1, 0:2] arrived c\n", next);
    }
    text += "  lane compute\n    wait d >= 1\n";
    if (num_ranks > 1) text += "    wait a >= 1\n    wait b >= 1\n    wait c >= 1\n";
    text += "    gemm out[0:2, 0:2] in[0:2, 1:1] in[0:0, 0:2] ij,jk->ik\n";
  }
  return {"empty_boxes_still_raise", text,
          [](const std::string& buffer, int, int, int i) { return buffer == "in" ? static_cast<float>(i) : 0.0F; }};
}

}  // namespace meshmul
