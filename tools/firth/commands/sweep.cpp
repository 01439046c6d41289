#include "commands/sweep.hpp"

#include <cerrno>
#include <cstdio>
#include <firth/error.hpp>
#include <firth/pos.hpp>
#include <firth/svd2.hpp>
#include <memory>

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

void write_text(const std::string& path, const std::string& text) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), &std::fclose);
  if (!file) throw IoError(path, "cannot be written", errno);
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), file.get());
  if (written != text.size() || std::fflush(file.get()) != 0) throw IoError(path, "cannot be written", errno);
}

}  // namespace firth::cli
