#pragma once
// Arrays in files: `.npy` and `.safetensors`, read and written box by box, so that no shard needs the whole of a file.
// docs/files.md says which files are understood.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/box.hpp"
#include "meshmul/dtype.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

/// What a file says of one of its arrays.
struct FileArray {
  std::string name;            ///< of the tensor; empty in a .npy file
  std::string type;            ///< as the file spells it: `<f4`, `BF16`
  std::optional<Dtype> dtype;  ///< nothing if meshmul has no such type, or if the file does not say: `<V2`
  Shape shape;
};

/// The arrays of a `.npy` or `.safetensors` file, in the order in which they lie there. Throws as ArrayReader does.
std::vector<FileArray> list_arrays(const std::string& file);

/// An array in a file, open for reading. Any number of threads may read at once.
class ArrayReader {
 public:
  /// Opens `FILE.npy`, `FILE.safetensors:TENSOR`, or `FILE.safetensors` if it holds a single tensor. With `expected`
  /// the elements must be of that dtype, and raw elements of its size (`<V2`, `|V1`, which is how numpy stores types
  /// that are not its own) are taken for bf16 or f8e4m3. Throws Error(kInvalidArgument) with the file's name if it
  /// cannot be opened, is not such a file, is cut short, is inconsistent, has no such tensor, or has another dtype.
  explicit ArrayReader(const std::string& location, std::optional<Dtype> expected = std::nullopt);
  ~ArrayReader();
  ArrayReader(ArrayReader&&) noexcept;
  ArrayReader& operator=(ArrayReader&&) noexcept;

  const std::string& name() const;  ///< of the tensor; empty in a .npy file
  Dtype dtype() const;
  const Shape& shape() const;

  /// Reads `box` of the array into `dst`, which has its extents, any strides, and the array's dtype. Throws
  /// Error(kInvalidArgument) if the file has become shorter since it was opened, Error(kMachine) if reading fails.
  void read_box(const Box& box, View dst) const;

  /// The whole array.
  HostArray read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// An array on its way into a file. It is written to a temporary file beside the target, which takes the target's place
/// in one step on `commit`: whoever opens the target finds the old file or the complete new one.
class ArrayWriter {
 public:
  /// Will write `FILE.npy`, `FILE.safetensors:TENSOR`, or `FILE.safetensors` with `default_name` for the tensor.
  /// Elements are stored little-endian and row-major; in .npy, bf16 and f8e4m3 as raw elements `<V2` and `<V1`, as
  /// numpy does. Reserves the whole space. Throws Error(kInvalidArgument) if the target cannot be written there, and
  /// Error(kMachine) with both numbers if the space is not there.
  ArrayWriter(const std::string& location, Dtype dtype, const Shape& shape, const std::string& default_name);
  /// Removes what is not committed.
  ~ArrayWriter();
  ArrayWriter(const ArrayWriter&) = delete;
  ArrayWriter& operator=(const ArrayWriter&) = delete;

  /// Writes `box`. Several threads may write boxes that do not overlap. Throws Error(kMachine) if writing fails.
  void write_box(const Box& box, ConstView src);

  /// Once every element has been written: makes the file durable and puts it in the place of the target. Throws
  /// Error(kMachine) if the machine cannot; the target is then what it was.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes a whole array.
void write_array(const std::string& location, const HostArray& array, const std::string& default_name);

}  // namespace meshmul
