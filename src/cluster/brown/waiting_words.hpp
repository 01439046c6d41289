// The words outside the window in the order of the variant RESORT (Ciosici 2015, Algorithm 2): their sort keys
// are kept up to date, so that a sort after every merge is affordable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/engine_input.hpp"
#include "cluster/brown/objective_terms.hpp"
#include "cluster/brown/options_names.hpp"

namespace firth::brown {

class WaitingWords {
 public:
  WaitingWords(const EngineInput& input, ResortBy by);

  /// A word has become a cluster; its node is its id.
  void inserted(WordId word);
  /// Two clusters have become one.
  void merged(std::uint32_t left, std::uint32_t right, std::uint32_t node);

  /// Brings the `first` words that rank highest to the front: by falling key, then by rank. `outside`: all
  /// words that are not in the window.
  void sort(std::span<WordId> outside, std::size_t first) const;

  /// Bytes it may take for these counts.
  static std::uint64_t bytes(const PairCounts& pairs);

 private:
  /// A word outside and how often it is next to a cluster.
  struct WordNeighbour {
    WordId word;
    Count after;   ///< times the cluster comes after the word
    Count before;  ///< times the cluster comes before the word
  };
  struct Cluster {
    std::vector<WordNeighbour> neighbours;  ///< by rising word; some may have entered the window since
    Count left_marginal = 0;
    Count right_marginal = 0;
  };

  Score connection(const WordNeighbour& neighbour, double ln_left, double ln_right) const;
  void set_fixed_keys(ResortBy by);
  void list_neighbours(WordId word, std::vector<WordNeighbour>& neighbour) const;
  void join(const Cluster& a, const Cluster& b, std::vector<WordNeighbour>& neighbour) const;
  void add(const Cluster& cluster, Score sign);

  const EngineInput& input_;
  bool by_connection_;  ///< the key depends on the window
  std::vector<Score> key_;
  std::vector<double> ln_left_, ln_right_;  ///< of a word's marginals, less the weight of a bigram inside
  std::vector<std::uint8_t> inside_;
  std::vector<Cluster> clusters_;  ///< by node
};

}  // namespace firth::brown
