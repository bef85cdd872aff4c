// The protocol of product kernels, with threads as blocks of several ranks: what is waited for, what is raised when,
// run after run.

#include "execute/cuda/signal_protocol.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "execute/cuda/gemm/gemm_tables.hpp"
#include "execute/cuda/gemm/tile_walk.hpp"
#include "execute/cuda/host_words.hpp"

namespace meshmul::cuda {
namespace {

constexpr std::uint64_t kLongNs = 60'000'000'000;

/// Tables of one rank as its kernel sees them.
class HostWork {
 public:
  HostWork(const std::vector<Product>& products, const std::vector<SignalWait>& waits, const TileChoice& choice,
           std::uint64_t budget_ns = kLongNs)
      : tables_(make_tables({.element = Dtype::kBf16}, products, waits, choice)), finished_(tables_.pieces.size() + 1) {
    work_.pieces = tables_.pieces.data();
    work_.segments = tables_.segments.data();
    work_.row_groups = tables_.row_groups.data();
    work_.waits = tables_.waits.data();
    work_.raises = tables_.raises.data();
    work_.finished_tiles = finished_.data();
    work_.finished_pieces = finished_.data() + tables_.pieces.size();
    work_.control = {&expired_, &abort_, budget_ns};
    work_.num_pieces = static_cast<std::int32_t>(tables_.pieces.size());
    work_.num_tiles = tables_.num_tiles;
    work_.num_raises = static_cast<std::int32_t>(tables_.raises.size());
  }

  const GemmWork& work() const { return work_; }
  const ExpiredWait& expired() const { return expired_; }

 private:
  GemmTables tables_;
  std::vector<std::uint32_t> finished_;
  ExpiredWait expired_;
  std::uint32_t abort_ = 0;
  GemmWork work_;
};

/// What a block does in run `run`: `do_tile(piece, segment, first row, first column)` once the waits of these rows have
/// passed.
template <class DoTile>
void run_block(const GemmWork& work, std::int32_t block, std::int32_t num_blocks, std::int32_t cluster,
               std::int32_t tile_n, std::uint64_t run, DoTile do_tile) {
  const HostWords words;
  const auto in_cluster = static_cast<std::uint32_t>(block % cluster), in_all = static_cast<std::uint32_t>(cluster);
  TileWalk walk(work, block / cluster, num_blocks / cluster);
  std::int32_t passed = 0;
  while (walk.next()) {
    const GemmPiece& piece = walk.piece();
    const std::int32_t row = walk.row(in_cluster, in_all, kTileM), column = walk.column(tile_n);
    for (std::int32_t s = 0; s < piece.num_segments; ++s) {
      const GemmSegment& segment = work.segments[piece.first_segment + s];
      const std::int32_t first_row = walk.row(0, in_all, kTileM);
      const std::int32_t waits =
          std::max(segment.num_waits, waits_of_rows(work.row_groups + piece.first_row_group, piece.num_row_groups,
                                                    first_row, first_row + cluster * kTileM));
      for (; passed < waits; ++passed) wait_for(work.waits[passed], run, work.control, words);
      do_tile(walk.piece_number(), s, row, column);
    }
    if (work.num_raises > 0) finish_part(work, walk.piece_number(), run, in_all, words);
  }
}

/// Rows of 64 elements; nobody looks at their contents.
Product product_of(std::int64_t m, std::int64_t n, std::vector<RowGroup> groups, std::vector<SignalRaise> raises) {
  alignas(256) static std::byte memory[256];
  return {.m = m,
          .n = n,
          .parts = {{.a = memory, .b = memory, .a_stride = 64, .b_stride = 64, .k = 64, .num_waits = 0}},
          .c = memory,
          .c_stride = 64,
          .row_groups = std::move(groups),
          .raises = std::move(raises)};
}

constexpr int kRanks = 4, kBlocks = 4;
constexpr std::int64_t kRows[kRanks] = {5, 0, 300, 64};
constexpr std::int32_t kRowsOfSecond = 100;  // of a second product, which takes the rows of all
constexpr std::uint64_t kRuns = 20, kFirstRun = (std::uint64_t{1} << 32) - 10;  // counts of tiles wrap on the way

struct Rank {
  std::vector<std::uint64_t> arrived = std::vector<std::uint64_t>(kRanks, kFirstRun);
  std::vector<std::uint64_t> rows = std::vector<std::uint64_t>(kRanks);  // what the peers wrote last
  std::uint64_t done = 2 * kFirstRun;                                    // two raises a run
  std::unique_ptr<HostWork> work;
};

/// Each of W ranks multiplies the rows of all of them, uneven ones, as they come. Before a rank raises the word of its
/// rows at a peer it writes the number of the run there; blocks must see it. Peers are told in turn when a piece is
/// done.
TEST(SignalProtocol, ShowsEveryTileWhatWasWrittenBeforeItsSignalsRunAfterRun) {
  std::vector<Rank> ranks(kRanks);
  for (int r = 0; r < kRanks; ++r) {
    Rank& rank = ranks[static_cast<std::size_t>(r)];
    std::vector<SignalWait> waits;
    std::vector<RowGroup> groups;
    std::int64_t rows = kRows[r];
    groups.push_back({static_cast<std::int32_t>(rows), 0});
    for (int i = 1; i < kRanks; ++i) {
      const int owner = (r + i) % kRanks;
      waits.push_back({&rank.arrived[static_cast<std::size_t>(owner)], 1, 1, owner});
      rows += kRows[owner];
      groups.push_back({static_cast<std::int32_t>(rows), i});
    }
    rank.work = std::make_unique<HostWork>(
        std::vector<Product>{product_of(rows, 600, groups, {{&rank.done, 2, 1}}),
                             product_of(kRowsOfSecond, 300, {{kRowsOfSecond, kRanks - 1}}, {{&rank.done, 2, 2}})},
        waits, TileChoice{.tile_n = 256, .cluster = 2, .rows_together = 2});
    // The kernel starts from counts that fit the number of the first run.
    const GemmWork& work = rank.work->work();
    for (int piece = 0; piece < 2; ++piece)
      work.finished_tiles[piece] = parts_at_end(work.pieces[piece], kFirstRun - 1, 2);
    *work.finished_pieces = static_cast<std::uint32_t>(kFirstRun) * 2;
  }

  std::atomic<int> wrong{0};
  const HostWords words;
  const auto bring = [&](int r) {
    std::mt19937 random(static_cast<unsigned>(r));
    for (std::uint64_t run = kFirstRun; run < kFirstRun + kRuns; ++run)
      for (int i = 1; i < kRanks; ++i) {
        Rank& peer = ranks[static_cast<std::size_t>((r + kRanks - i) % kRanks)];
        // Its products of the run before are over: only then may what they read be overwritten.
        while (words.load_acquire(&peer.done) < 2 * run) std::this_thread::yield();
        if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
        peer.rows[static_cast<std::size_t>(r)] = run;
        words.raise_release(&peer.arrived[static_cast<std::size_t>(r)], run + 1);
      }
  };
  const auto multiply = [&](int r, int block) {
    Rank& rank = ranks[static_cast<std::size_t>(r)];
    const GemmWork& work = rank.work->work();
    for (std::uint64_t run = kFirstRun; run < kFirstRun + kRuns; ++run) {
      while (words.load_acquire(&rank.done) < 2 * run) std::this_thread::yield();
      run_block(
          work, block, kBlocks, 2, 256, run, [&](std::int32_t piece, std::int32_t, std::int32_t row, std::int32_t) {
            std::int64_t begin = 0;
            for (int i = 0; i < kRanks; ++i) {
              const int owner = (r + i) % kRanks;
              const std::int64_t end = begin + kRows[owner];
              const bool touched = piece == 1 ? row < kRowsOfSecond : begin < end && begin < row + kTileM && row < end;
              if (i > 0 && touched && rank.rows[static_cast<std::size_t>(owner)] != run) ++wrong;
              begin = end;
            }
            // The second piece is not done before the first one.
            if (words.load_acquire(&rank.done) > 2 * run + 1) ++wrong;
          });
    }
  };
  std::vector<std::thread> threads;
  for (int r = 0; r < kRanks; ++r) {
    threads.emplace_back(bring, r);
    for (int block = 0; block < kBlocks; ++block) threads.emplace_back(multiply, r, block);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  for (const Rank& rank : ranks) {
    EXPECT_EQ(rank.done, 2 * (kFirstRun + kRuns));
    EXPECT_EQ(rank.work->expired().state, 0U);
  }
}

TEST(SignalProtocol, RaisesInTheOrderOfPiecesWhoeverFinishesFirst) {
  std::uint64_t word = 0;
  std::vector<Product> products;
  for (std::uint64_t i = 1; i <= 3; ++i) products.push_back(product_of(100, 100, {{100, 0}}, {{&word, 3, i}}));
  const HostWork host(products, {}, {.tile_n = 128, .cluster = 1, .rows_together = 1});
  const HostWords words;
  for (std::uint64_t run = 0; run < 3; ++run) {
    finish_part(host.work(), 2, run, 1, words);
    EXPECT_EQ(word, 3 * run);
    finish_part(host.work(), 0, run, 1, words);
    EXPECT_EQ(word, 3 * run + 1);
    finish_part(host.work(), 1, run, 1, words);
    EXPECT_EQ(word, 3 * run + 3);
  }
}

TEST(SignalProtocol, LeavesOneRecordOfTheFirstWaitThatRunsOutAndLetsTheOthersGo) {
  std::uint64_t never = 4;
  const std::vector<SignalWait> waits{{&never, 2, 2, 17}};
  constexpr std::uint64_t kShortNs = 2'000'000;
  const HostWork host({product_of(1000, 100, {{1000, 1}}, {})}, waits,
                      {.tile_n = 128, .cluster = 1, .rows_together = 1}, kShortNs);
  std::vector<std::thread> threads;
  for (int block = 0; block < 4; ++block)
    threads.emplace_back([&, block] {
      run_block(host.work(), block, 4, 1, 128, 2, [](std::int32_t, std::int32_t, std::int32_t, std::int32_t) {});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(host.expired().state, 2U);
  EXPECT_EQ(host.expired().op, 17);
  EXPECT_EQ(host.expired().expected, 6U);
  EXPECT_EQ(host.expired().seen, 4U);
}

TEST(SignalProtocol, NeverLowersAWord) {
  std::uint64_t word = 7;
  HostWords().raise_release(&word, 5);
  EXPECT_EQ(word, 7U);
  HostWords().raise_release(&word, 9);
  EXPECT_EQ(word, 9U);
}

}  // namespace
}  // namespace meshmul::cuda
