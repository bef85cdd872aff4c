// The program meshmul-mpi-collectives: a rank of MPI that runs batches of collectives for `meshmul bench collectives`.
//
//     mpirun -n P meshmul-mpi-collectives FOLDER      FOLDER has the pipes of mpi_batch.hpp

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

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

// One collective on memory of its own.
class Call {
 public:
  Call(const MpiBatch& batch, int num_ranks, int rank)
      : collective_(batch.collective), count_(static_cast<std::size_t>(batch.bytes) / sizeof(float)), rank_(rank) {
    const auto ranks = static_cast<std::size_t>(num_ranks);
    in_.resize(count_);
    out_.resize(collective_ == CollectiveKind::kAllGather ? count_ * ranks : count_);
    for (std::size_t r = 0; r < ranks; ++r)
      shares_.push_back(static_cast<int>(count_ * (r + 1) / ranks - count_ * r / ranks));
  }

  void rewrite(int call) { std::fill(in_.begin(), in_.end(), static_cast<float>(call + rank_)); }

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
  int rank_;
  std::vector<float> in_, out_;
  std::vector<int> shares_;  // floats of each rank
};

// At rank 0, the seconds of each call.
std::vector<double> run(const MpiBatch& batch, int num_ranks, int rank) {
  Call call(batch, num_ranks, rank);
  std::vector<double> seconds;
  for (int i = 0; i < batch.calls; ++i) {
    call.rewrite(i);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = now();
    call.run();
    const double end = now();
    double first = 0;
    double last = 0;
    MPI_Reduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    seconds.push_back(last - first);
  }
  return seconds;
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
  MpiBatch batch;
  // Whoever asks has gone when the pipe ends.
  while (read(batches, &batch, sizeof(batch)) == static_cast<ssize_t>(sizeof(batch))) {
    const std::vector<double> seconds = run(batch, num_ranks, rank);
    const auto bytes = static_cast<ssize_t>(seconds.size() * sizeof(double));
    if (rank == 0 && write(answers, seconds.data(), static_cast<std::size_t>(bytes)) != bytes) break;
  }
  MPI_Finalize();
}
