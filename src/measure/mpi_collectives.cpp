// The program meshmul-mpi-collectives: a rank of MPI that runs batches of collectives for `meshmul bench collectives`.
//
//     mpirun -n P meshmul-mpi-collectives FOLDER      FOLDER has the pipes of mpi_batch.hpp

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/runs.hpp"
#include "measure/mpi_batch.hpp"

namespace {

using meshmul::CollectiveKind;
using meshmul::measure::MpiBatch;

int open_pipe(const std::string& path, int flags) {
  const int pipe = open(path.c_str(), flags | O_CLOEXEC);
  if (pipe < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  return pipe;
}

// By the clock of the machine; MPI_Wtime may begin at another moment in each rank.
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Floats that lie in large pages where the machine has them, as meshmul's do.
class Floats {
 public:
  explicit Floats(std::size_t count) {
    constexpr std::size_t kLargePage = std::size_t{2} << 20;
    const std::size_t bytes = (count * sizeof(float) + kLargePage - 1) / kLargePage * kLargePage;
    void* memory = std::aligned_alloc(kLargePage, bytes);
    if (memory == nullptr) MPI_Abort(MPI_COMM_WORLD, 1);
    madvise(memory, bytes, MADV_HUGEPAGE);
    data_.reset(static_cast<float*>(memory));
    std::fill_n(data(), count, 1.0F);
  }
  float* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(float* memory) const { std::free(memory); }
  };
  std::unique_ptr<float, Free> data_;
};

// One collective on memory of its own.
class Call {
 public:
  Call(CollectiveKind collective, std::int64_t bytes, int num_ranks)
      : collective_(collective),
        count_(static_cast<std::size_t>(bytes) / sizeof(float)),
        given_(count_),
        in_(count_),
        out_(collective == CollectiveKind::kAllGather ? count_ * static_cast<std::size_t>(num_ranks) : count_) {
    const auto ranks = static_cast<std::size_t>(num_ranks);
    for (std::size_t r = 0; r < ranks; ++r)
      shares_.push_back(static_cast<int>(count_ * (r + 1) / ranks - count_ * r / ranks));
  }

  // By the same function as meshmul's own contributions.
  void rewrite() {
    meshmul::move_run(reinterpret_cast<std::byte*>(in_.data()), 1, reinterpret_cast<const std::byte*>(given_.data()), 1,
                      static_cast<std::int64_t>(count_), sizeof(float));
  }

  void run() {
    const auto count = static_cast<int>(count_);
    switch (collective_) {
      case CollectiveKind::kAllGather:
        MPI_Allgather(in_.data(), count, MPI_FLOAT, out_.data(), count, MPI_FLOAT, MPI_COMM_WORLD);
        return;
      // Not MPI_Reduce_scatter_block, whose default form in Open MPI 4 is several times as slow.
      case CollectiveKind::kReduceScatter:
        MPI_Reduce_scatter(in_.data(), out_.data(), shares_.data(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        return;
      case CollectiveKind::kAllReduce:
        MPI_Allreduce(in_.data(), out_.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        return;
      case CollectiveKind::kAllToAll:
        MPI_Alltoall(in_.data(), shares_.front(), MPI_FLOAT, out_.data(), shares_.front(), MPI_FLOAT, MPI_COMM_WORLD);
        return;
    }
  }

 private:
  CollectiveKind collective_;
  std::size_t count_;
  Floats given_, in_, out_;
  std::vector<int> shares_;  // floats of each rank
};

// At rank 0, the seconds of all calls.
double seconds_of(Call& call, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = now();
  for (int i = 0; i < calls; ++i) {
    call.rewrite();
    call.run();
  }
  const double end = now();
  double first = 0;
  double last = 0;
  MPI_Reduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return last - first;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int num_ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &num_ranks);
  const std::string folder = argc > 1 ? argv[1] : ".";
  const int batches = open_pipe(folder + "/rank" + std::to_string(rank), O_RDONLY);
  const int answers = rank == 0 ? open_pipe(folder + "/answers", O_WRONLY) : -1;
  MpiBatch batch, before;
  std::optional<Call> call;
  // Whoever asks has gone when the pipe ends.
  while (read(batches, &batch, sizeof(batch)) == static_cast<ssize_t>(sizeof(batch))) {
    if (!call || batch.collective != before.collective || batch.bytes != before.bytes) {
      call.reset();
      call.emplace(batch.collective, batch.bytes, num_ranks);
    }
    before = batch;
    const double seconds = seconds_of(*call, batch.calls);
    if (rank == 0 && write(answers, &seconds, sizeof(seconds)) != static_cast<ssize_t>(sizeof(seconds))) break;
  }
  call.reset();
  MPI_Finalize();
}
