#pragma once
// Links between neighbours of a torus. Bytes take the short way round each ring, one dimension after the other.

#include "network.hpp"

namespace meshmul::simulation {

class TorusNetwork : public Network {
 public:
  TorusNetwork(const Mesh& mesh, const Hardware& hardware, const Topology& topology, const SimulateOptions& options);

  Route route(int src, int dst, Asker asker, Turn turn) const override;
  std::int32_t num_links() const override;
  int level(std::int32_t) const override { return 0; }
  double rate(int) const override { return rate_; }
  Link link(std::int32_t number) const override;

 private:
  // A ring or line of the torus. Its coordinate is digit (rank / stride) % size of the rank.
  struct Dimension {
    std::int64_t size, stride;
    bool wraps;
  };
  enum Direction { kUp, kDown };

  int neighbour(int rank, const Dimension& dimension, Direction direction) const;
  std::int32_t number_of_link(int rank, std::size_t dimension, Direction direction) const;
  // How many links to go, and which way.
  std::pair<std::int64_t, Direction> way(int src, int dst, const Dimension& dimension, Turn turn) const;

  std::vector<Dimension> dimensions_;
  int num_ranks_;
  double rate_;
  std::int64_t hop_ps_;
  bool full_duplex_, both_ways_;
};

}  // namespace meshmul::simulation
