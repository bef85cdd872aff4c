#pragma once
// Links between neighbours of a torus. Bytes take the short way round each ring, one dimension after the other.

#include "network.hpp"

namespace meshmul::simulation {

class TorusNetwork : public Network {
 public:
  TorusNetwork(const Mesh& mesh, const Hardware& hardware, const Topology& topology, const SimulateOptions& options);

  void find_route(int src, int dst, Asker asker, Turn turn, Route& route) const override;
  std::int32_t num_links() const override;
  int level(std::int32_t) const override { return 0; }
  double rate(int) const override { return rate_; }
  Link link(std::int32_t number) const override;

 private:
  // A ring or line of the torus. Its coordinate is digit (rank / stride) % size of the rank.
  struct Dimension {
    int size, stride;
    bool wraps;

    int coordinate(int rank) const { return rank / stride % size; }
  };
  enum Direction { kUp, kDown };

  // The rank beside `rank`, whose coordinate is `at` and becomes that of the other one.
  static int step(int rank, int& at, const Dimension& dimension, Direction direction);
  // Of the link that `rank` sends over.
  std::int32_t number_of_link(int rank, std::size_t dimension, Direction direction) const {
    const auto number = static_cast<std::size_t>(rank) * dimensions_.size() + dimension;
    return static_cast<std::int32_t>(number * 2 + (direction == kUp ? 0 : 1));
  }
  // How many links to go, and which way.
  std::pair<int, Direction> way(int from, int to, const Dimension& dimension, Turn turn) const;

  std::vector<Dimension> dimensions_;
  int num_ranks_;
  double rate_;
  std::int64_t hop_ps_;
  bool full_duplex_, both_ways_;
};

}  // namespace meshmul::simulation
