#pragma once
// The links and ports of a machine, and which of them bytes take from rank to rank.

#include <cstdint>
#include <memory>
#include <vector>

#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/simulate.hpp"
#include "meshmul/timeline.hpp"
#include "meshmul/topology.hpp"

namespace meshmul::simulation {

/// A link or port of a route, in the order in which they are taken.
struct Hop {
  std::int32_t link = 0;
  std::int64_t latency_ps = 0;  ///< from when bytes are on it until they are at its end
};
using Route = std::vector<Hop>;

/// Whose port the bytes are queued at first.
enum class Asker {
  kSender,  ///< a put, a signal, a write in place
  kReader,  ///< a get, a read in place: it asks for no more at once than its own port can take
};

/// Two directions are as short to the opposite device of a ring of an even size, and a transfer takes one of them. Neighbours
/// have them in another order.
enum class Turn { kFirst, kSecond };

class Network {
 public:
  virtual ~Network() = default;

  /// Sets `route` to the links from `src` to another rank `dst`. The two turns differ where there are two shortest ways.
  virtual void find_route(int src, int dst, Asker asker, Turn turn, Route& route) const = 0;
  virtual std::int32_t num_links() const = 0;
  /// 0 for links and ports of devices, 1 for those of nodes.
  virtual int level(std::int32_t link) const = 0;
  /// Bytes per second of a link, by level.
  virtual double rate(int level) const = 0;
  virtual Link link(std::int32_t number) const = 0;
};
inline constexpr int kNumLevels = 2;

/// That of `hardware`, on which `mesh` lies as `topology` says.
std::unique_ptr<Network> make_network(const Mesh& mesh, const Hardware& hardware, const Topology& topology,
                                      const SimulateOptions& options);

}  // namespace meshmul::simulation
