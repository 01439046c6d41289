#include "commands/sweep.hpp"

#include <firth/pos.hpp>
#include <firth/svd2.hpp>

namespace firth::cli {

std::vector<Clustering> sweep_classes(const SweepInput& input, SweepMethod method, const RunOptions& run) {
  std::vector<Clustering> results;
  if (method == SweepMethod::cut) {
    const Clustering clustering = load_clustering(input.input, input.from);
    for (const ClassId classes : input.classes) results.push_back(clustering.cut(classes));
    return results;
  }
  CountOptions count = input.count;
  if (method == SweepMethod::pos) count.distances = {1, 2};
  const std::vector<std::string> texts = {input.input};
  const Counts counts = read_counts(texts, count, run);
  if (method == SweepMethod::svd2) {
    for (ClusterResult& result : cluster_svd2(counts, input.classes, {.tree = false}, run)) {
      results.push_back(std::move(result.clustering));
    }
    return results;
  }
  for (const ClassId classes : input.classes) {
    results.push_back(cluster_pos(counts, {.classes = classes, .tree = false}, run).clustering);
  }
  return results;
}

}  // namespace firth::cli
