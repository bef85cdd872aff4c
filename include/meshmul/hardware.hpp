#pragma once
// What the cost model may know about a machine, and the profiles that come with the library.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/dtype.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {

/// One device.
struct Chip {
  std::map<Dtype, double> flops_per_second;  ///< a multiply and an add are two; by the dtype of the inputs
  double memory_bytes_per_second = 0;        ///< of the memory that holds the arrays (HBM)
  std::optional<std::int64_t> memory_bytes;  ///< per device; nothing: not limited
};

enum class NetworkKind {
  kTorus,   ///< every mesh axis is a ring of its own, with two one-way links between neighbours
  kSwitch,  ///< every device has one port to all others
};
std::string_view name(NetworkKind kind);

struct Network {
  NetworkKind kind = NetworkKind::kSwitch;
  double link_bytes_per_second = 0;         ///< torus: one link one way; switch: what one device sends at once
  double hop_seconds = 0;                   ///< latency of a message to a neighbour, or through the switch
  std::vector<std::int64_t> largest_slice;  ///< devices along each hardware axis; empty: any number of devices
};

struct Hardware {
  std::string name;
  Chip chip;
  Network network;
  std::vector<std::int64_t> slice;  ///< `v5e:4x4`; empty: as many devices as the mesh has
};

/// FLOP/s of products of `dtype`. A dtype without a rate of its own has that of the next wider one: f8e4m3 that of
/// bf16, bf16 and f16 that of f32, f32 that of f64; i8 that of i32, i32 that of f32.
/// Throws Error(kInvalidArgument) if there is none.
double flops_per_second(const Hardware& hardware, Dtype dtype);

/// Throws Error(kInvalidArgument) if `mesh` has another number of devices than the slice, or more than the largest; also
/// if the rates of links, hops and memory are not positive.
void check_fits(const Mesh& mesh, const Hardware& hardware);

/// Reads a profile. `file_name` is for messages, which give file, line, field, what was found and what was expected.
Hardware load_hardware(std::string_view toml_text, const std::string& file_name);

/// A profile by name (`v5e`), with a slice (`v5e:4x4`), or by the path of a file that ends in `.toml`.
/// Throws Error(kInvalidArgument) if there is none, naming those that there are.
Hardware find_hardware(std::string_view name);

/// Names of the profiles that come with the library, sorted.
std::vector<std::string> hardware_names();

}  // namespace meshmul
