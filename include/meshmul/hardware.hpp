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
  std::map<Dtype, double> flops_per_second;   ///< a multiply and an add are two; by the dtype of the inputs
  double efficiency = 1;                      ///< share of those rates that large products reach
  double memory_bytes_per_second = 0;         ///< of the memory that holds the arrays (HBM)
  std::optional<std::int64_t> memory_bytes;   ///< per device; nothing: not limited
  std::optional<std::int64_t> on_chip_bytes;  ///< VMEM, L2: where shards and slots are quick to reach
  std::optional<double> on_chip_bytes_per_second;
  int cores = 1;                    ///< that share the rates above
  std::int64_t matrix_unit = 1;     ///< sizes of products are padded to multiples of it
  std::optional<int> copy_engines;  ///< that move bytes for puts, gets and copies; nothing: as many as it takes
  bool operator==(const Chip&) const = default;
};

enum class NetworkKind {
  kTorus,   ///< grids of devices with links between neighbours
  kSwitch,  ///< every device has one port to all others of its node
};
std::string_view name(NetworkKind kind);

/// Which axes of a slice close to rings; an axis of one device never does.
struct WrapRule {
  enum class Kind {
    kAll,         ///< every axis
    kNone,        ///< no axis
    kLength,      ///< an axis of exactly `size`
    kWholeCubes,  ///< every axis of a slice all of whose sizes are multiples of `size`
  };
  Kind kind = Kind::kAll;
  std::int64_t size = 0;
  bool operator==(const WrapRule&) const = default;
};
/// As profiles write it: `all`, `none`, `length`, `whole_cubes`.
std::string_view name(WrapRule::Kind kind);

/// Slices that can be had. Sizes are given in ascending order; a slice may have them in any.
///
/// A torus has as many hardware axes as `sizes` and `largest` have numbers, as many as the mesh if both are empty. A
/// slice of a switch is `8`, or `4x8`: 4 nodes of 8 devices; `largest` is one number, of devices in all.
struct SliceRule {
  std::vector<std::vector<std::int64_t>> sizes;  ///< empty with `multiple` 0: any
  std::int64_t multiple = 0;                     ///< also all whose sizes are multiples of it; 0: none
  std::vector<std::int64_t> largest;             ///< devices along each hardware axis; empty: any number of devices
  bool operator==(const SliceRule&) const = default;
};

/// Nodes behind a network. Only a switch has them.
struct NodeNetwork {
  std::int64_t devices_per_node = 0;  ///< at most
  double bytes_per_second = 0;        ///< what one node sends at once, and receives at once
  double hop_seconds = 0;
  bool operator==(const NodeNetwork&) const = default;
};

/// Bandwidth that was measured for one collective. Between points its logarithm is a straight line over that of the
/// bytes, so that time rises with bytes wherever it does so from point to point; outside of them it stays.
struct MeasuredBandwidth {
  std::string collective;                ///< `AllGather`, `AllReduce`, …
  std::vector<double> bytes;             ///< of the whole array in a group, rising
  std::vector<double> bytes_per_second;  ///< one way over one link or port
  bool operator==(const MeasuredBandwidth&) const = default;
};

struct Network {
  NetworkKind kind = NetworkKind::kSwitch;
  double link_bytes_per_second = 0;  ///< torus: one link one way; switch: what one device sends at once
  double hop_seconds = 0;            ///< latency of a message to a neighbour, or through the switch
  bool full_duplex = true;           ///< a link carries that much in both directions at once
  WrapRule wrap;
  SliceRule slices;
  std::optional<NodeNetwork> nodes;
  bool reduces = false;                        ///< its switches can add up partial sums
  bool shared_memory = false;                  ///< devices share one memory: what lies at a peer need not be copied
  std::optional<double> dcn_bytes_per_second;  ///< per device, to devices of another slice
  std::vector<MeasuredBandwidth> measured;
  bool operator==(const Network&) const = default;
};

/// How long products of one dtype take on one core, at all of some sizes: m x k by k x n.
///
/// A product takes time for each multiplication and for bringing each matrix in or out, so for m n k, m k, k n and m n: along
/// each of m, n and k that is a straight line, and so it is between the points. Beyond the largest ones time grows as the
/// size does; below the smallest it is that of the smallest.
struct ProductTimes {
  Dtype dtype = Dtype::kF32;
  std::vector<double> m, n, k;  ///< rising
  std::vector<double> seconds;  ///< of every m, n and k; k runs fastest, m slowest
  bool operator==(const ProductTimes&) const = default;
};
double seconds(const ProductTimes& times, double m, double n, double k);

/// Bytes per second that one core reads and writes when it goes through so much memory again and again: what fits into a
/// cache is faster. Between points the logarithm is a straight line over that of the footprint; outside of them it stays.
struct FootprintRates {
  std::vector<double> footprint_bytes;        ///< rising
  std::vector<double> bytes_per_second;       ///< while the other cores do something else
  std::vector<double> busy_bytes_per_second;  ///< while all cores do so with what others wrote; empty: no less
  bool operator==(const FootprintRates&) const = default;
};
double bytes_per_second(const FootprintRates& rates, double footprint_bytes);
double busy_bytes_per_second(const FootprintRates& rates, double footprint_bytes);

/// Seconds by how much memory a core goes through. Between points a straight line over the logarithm of the footprint; outside
/// of them it stays.
struct FootprintSeconds {
  std::vector<double> footprint_bytes;  ///< rising
  std::vector<double> seconds;
  bool operator==(const FootprintSeconds&) const = default;
};
double seconds(const FootprintSeconds& times, double footprint_bytes);

/// What is written past the caches: copies and sums of so many bytes side by side.
struct Streams {
  double least_bytes = 0;
  FootprintRates copies;  ///< of puts too
  FootprintRates gets;
  FootprintRates sums;
  bool operator==(const Streams&) const = default;
};

/// Ranks that are threads or programs of one machine. Each does one op at a time, whichever lane it is of: a put or get is a
/// copy that it makes itself. docs/simulation.md says how.
struct Host {
  std::optional<int> cores;        ///< which more ranks share; nothing: as many as there are ranks
  double op_seconds = 0;           ///< what each op takes besides its arithmetic and its bytes
  double notice_seconds = 0;       ///< from when a signal rises until a rank that waits for it goes on
  double wake_seconds = 0;         ///< the same where that rank sleeps
  double sleep_after_seconds = 0;  ///< how long a rank waits before it sleeps
  FootprintSeconds runs;           ///< what each stretch of bytes that lie side by side takes besides its bytes
  FootprintRates copies;           ///< of puts too
  FootprintRates gets;             ///< of copies from a peer's memory
  FootprintRates reductions;       ///< what is added to counts twice
  FootprintRates sums;  ///< of a copy and the reductions behind it in one go: each term counts once, and the sum
  FootprintRates maps;
  std::optional<Streams> streams;      ///< nothing: all is written to the caches
  std::vector<ProductTimes> products;  ///< a dtype that is not here goes by the rate of the chip
  bool operator==(const Host&) const = default;
};

struct Hardware {
  std::string name;
  Chip chip;
  Network network;
  std::optional<Host> host;         ///< nothing: devices whose ops and links are apart from each other
  std::vector<std::int64_t> slice;  ///< `v5e:4x4`; empty: as many devices as the mesh has
  bool operator==(const Hardware&) const = default;
};

/// FLOP/s of products of `dtype`. A dtype without a rate of its own has that of the next wider one: f8e4m3 that of
/// bf16, bf16 and f16 that of f32, f32 that of f64; i8 that of i32, i32 that of f32.
/// Throws Error(kInvalidArgument) if there is none.
double flops_per_second(const Hardware& hardware, Dtype dtype);

/// Whether hardware axis `axis` of `slice` closes to a ring, by the rule of the chip.
bool wraps(const Hardware& hardware, const std::vector<std::int64_t>& slice, int axis);

/// The slices with as many devices, smallest axes first. Of a switch, one node or whole nodes. Empty where the chip comes
/// in none, and for a torus whose profile says nothing of slices.
std::vector<std::vector<std::int64_t>> slices_with(const Hardware& hardware, std::int64_t num_devices);

/// Throws Error(kInvalidArgument) if `mesh` has another number of devices than the slice, or more than the largest; if the
/// chip does not come in such a slice; also if the rates of links, hops and memory are not positive. Whether the axes of
/// the mesh lie on those of the slice is a question for `placements`.
void check_fits(const Mesh& mesh, const Hardware& hardware);

/// Reads a profile. `file_name` is for messages, which give file, line, field, what was found and what was expected.
Hardware load_hardware(std::string_view toml_text, const std::string& file_name);

/// A profile as TOML that `load_hardware` reads to the same; the slice is not part of it. `comment` stands in front, line by
/// line.
std::string to_toml(const Hardware& hardware, std::string_view comment = {});

/// The profile of this machine, which `meshmul calibrate` writes and whose name is `local`:
/// `$XDG_CONFIG_HOME/meshmul/local.toml`, in `$HOME/.config` without that; empty where neither is set.
std::string local_profile_path();

/// A profile by name (`v5e`, `local`) or by the path of a file that ends in `.toml`, with a slice (`v5e:4x4`, `mine.toml:8`) or
/// without. Throws Error(kInvalidArgument) if there is none, naming those that there are; if the file cannot be read, with
/// the reason; and for a slice that the chip does not come in, naming the nearest.
Hardware find_hardware(std::string_view name);

/// Names of the profiles that come with the library, sorted.
std::vector<std::string> hardware_names();

}  // namespace meshmul
