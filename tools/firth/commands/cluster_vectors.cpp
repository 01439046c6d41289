#include "commands/cluster_vectors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <firth/printable.hpp>
#include <firth/run_record.hpp>
#include <limits>

#include "commands/preview.hpp"
#include "commands/result_files.hpp"
#include "progress_bar.hpp"

namespace firth::cli {
namespace {

constexpr std::array kTextGroups = {"Text", "Vocabulary"};

RunRecord record(const VectorClusterResult& result, const WordVectors& vectors, const Session& session) {
  RunRecord record;
  record.command = "cluster";
  record.figures = {{"words", static_cast<double>(vectors.vocabulary.size())},
                    {"dimensions", static_cast<double>(vectors.dimensions)},
                    {"classes", static_cast<double>(result.clustering.class_count())},
                    {"sum_of_squares", result.sum_of_squares},
                    {"total_sum_of_squares", result.total_sum_of_squares},
                    {"kmeans_iterations", static_cast<double>(result.iterations)}};
  if (result.free_sum_of_squares)
    record.figures.emplace_back("free_sum_of_squares", *result.free_sum_of_squares);
  record.stages = session.stages();
  return record;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& vector_methods() {
  static const std::vector<std::pair<std::string, std::string>> methods = {
      {"ward", "vectors, bottom-up by Ward's criterion"},
      {"divide", "vectors, top-down by splits in two"},
      {"kmeans", "vectors, k-means and a tree of its classes"}};
  return methods;
}

void VectorClustering::declare_input(OptionTable& options) {
  options.text(
      "--vectors", "FILE", file_,
      "Cluster these vectors instead of the words of a text: npy with a list of words, word2vec, GloVe, "
      "fastText's .vec. The methods are then ward (the default), divide and kmeans.");
}

void VectorClustering::declare(OptionTable& options) {
  constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();
  options.group(kVectorGroup);
  options.choice("--distance", options_.distance,
                 {{"cosine", VectorDistance::cosine}, {"euclidean", VectorDistance::euclidean}},
                 "cosine = vectors are scaled to length 1 first; euclidean = vectors as they are.");
  options.field_of_last("VectorClusterOptions::distance");
  options.number_or<std::size_t>(
      "--ward-window", "W", options_.window, {0, kMax}, {"all", kMax},
      "ward: number of clusters in the window, at least K, which vectors enter in their order; 0 = 2 K; all = Ward's method without a window. Memory is that of W^2 + W times dimensions numbers.");
  options.field_of_last("VectorClusterOptions::window");
  options.choice(
      "--kmeans-start", options_.start,
      {{"frequent", KmeansStart::frequent},
       {"random", KmeansStart::random},
       {"ward", KmeansStart::ward},
       {"spread", KmeansStart::spread}},
      "kmeans: start at the first vectors, at random ones, at the means of Ward's classes, or at random vectors far "
      "from each other (k-means++).");
  options.number<std::uint32_t>("--kmeans-iterations", "N", options_.iterations, {1, kMax},
                                "kmeans: maximum number of iterations.");
  options.field_of_last("VectorClusterOptions::iterations");
}

void VectorClustering::refuse_text_options(const OptionTable& options) const {
  for (const OptionInfo& info : options.infos()) {
    const bool of_text = std::find(kTextGroups.begin(), kTextGroups.end(), info.group) != kTextGroups.end() ||
                         (info.group.starts_with("Only for --method") && info.group != kWeightsGroup &&
                          info.group != kSizeGroup) ||
                         info.names == "TEXT" || info.names == "--preset" || info.names == "--mkcls";
    if (!of_text || !info.given()) continue;
    throw UsageError(fmt::format("{} has no effect with --vectors", info.names),
                     "leave it out, or cluster a text");
  }
}

VectorClusterOptions VectorClustering::options_for(const VectorJob& job) const {
  if (job.classes == 0) throw UsageError("--classes auto is for texts", "give the number of classes");
  VectorClusterOptions options = options_;
  options.classes = job.classes;
  options.method = static_cast<VectorMethod>(job.method);
  options.weights = shared_->weights_or(WordWeights::none);
  options.sizes = shared_->class_sizes();
  return options;
}

void VectorClustering::print_estimate(const VectorJob& job, Session& session) {
  const VectorClusterOptions options = options_for(job);
  const WordVectors vectors = load_vectors(file_, session.run());
  const std::string method = vector_methods()[job.method].first;
  const std::uint64_t own = vector_cluster_bytes(vectors.vocabulary.size(), vectors.dimensions, options);
  const std::uint64_t given = vectors.numbers().size_bytes();
  if (session.json()) {
    return session.report({{"classes", static_cast<double>(options.classes)},
                           {"vectors", static_cast<double>(vectors.vocabulary.size())},
                           {"dimensions", static_cast<double>(vectors.dimensions)},
                           {"method", method},
                           {"memory_bytes", static_cast<double>(own + given)}},
                          "");
  }
  session.print(fmt::format(
      "{} classes of {} vectors with {} dimensions by --method {}: about {} beside the vectors ({})\n",
      options.classes, vectors.vocabulary.size(), vectors.dimensions, method, memory_text(own),
      memory_text(given)));
}

void VectorClustering::run(const VectorJob& job, const OptionTable& options, Session& session) {
  const auto started = std::chrono::steady_clock::now();
  const VectorClusterOptions wanted = options_for(job);
  OutputTransaction outputs;
  outputs.claim_folder(job.folder, is_result_file);
  const WordVectors vectors = load_vectors(file_, session.run());
  const VectorClusterResult result = cluster_vectors(vectors, wanted, session.run());
  save_clustering(job.folder, result.clustering, ClusterFormat::firth);
  save_class_means(job.folder, class_means(result.clustering, vectors, wanted.distance));
  RunRecord log = record(result, vectors, session);
  log.options = options.values();
  log.inputs = describe_inputs(file_);
  save_run_record(job.folder + "/run.json", log);
  outputs.commit();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  const double within =
      result.total_sum_of_squares > 0 ? 100 * result.sum_of_squares / result.total_sum_of_squares : 0;
  const Figures figures = {{"folder", job.folder},
                           {"classes", static_cast<double>(result.clustering.class_count())},
                           {"words", static_cast<double>(vectors.vocabulary.size())},
                           {"dimensions", static_cast<double>(vectors.dimensions)},
                           {"sum_of_squares", result.sum_of_squares},
                           {"total_sum_of_squares", result.total_sum_of_squares},
                           {"seconds", seconds}};
  session.report(
      figures,
      fmt::format("{} classes of {} vectors, {:.1f} % of the variance within classes, {:.1f} s -> {}",
                  result.clustering.class_count(), vectors.vocabulary.size(), within, seconds, job.folder));
  if (result.free_sum_of_squares) {
    session.say(fmt::format("limited sizes: sum of squares {:.4g}, {:.4g} without limits",
                            result.sum_of_squares, *result.free_sum_of_squares));
  }
  session.say(preview(result.clustering));
}

}  // namespace firth::cli
