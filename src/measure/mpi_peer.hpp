#pragma once
// MPI's collectives on this machine, for comparison: a set of ranks that mpirun has started and that sleep between batches.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/temporary_folder.hpp"
#include "execute/cpu/file_descriptor.hpp"
#include "mpi_batch.hpp"

namespace meshmul::measure {

class MpiPeer {
 public:
  /// True if this build has the program and mpirun can be called.
  static bool is_available();

  /// Starts `num_ranks` ranks. `interrupted` is polled while a batch runs; true ends it with Error(kInterrupted). Throws
  /// Error(kMachine) if they cannot be started.
  MpiPeer(int num_ranks, std::function<bool()> interrupted);
  /// Lets the ranks end, and kills those that do not.
  ~MpiPeer();
  MpiPeer(const MpiPeer&) = delete;
  MpiPeer& operator=(const MpiPeer&) = delete;

  /// The seconds of all calls together. Throws Error(kMachine) if mpirun has ended.
  double run(const MpiBatch& batch);

 private:
  std::function<bool()> interrupted_;
  TemporaryFolder folder_;
  std::vector<FileDescriptor> batches_;  // by rank
  FileDescriptor answers_;
  std::optional<ChildProcess> mpirun_;
};

/// `Open MPI 4.1.4`, as mpirun says.
std::string mpi_version();

}  // namespace meshmul::measure
