// firth cluster --method spectral.
#include <firth/error.hpp>
#include <firth/exchange.hpp>
#include <firth/spectral.hpp>
#include <limits>
#include <utility>

#include "commands/cluster_methods.hpp"
#include "commands/spectral_options.hpp"

namespace firth::cli {
namespace {

class SpectralMethod : public MethodOptions {
 public:
  explicit SpectralMethod(std::shared_ptr<SharedSettings> shared) : shared_(std::move(shared)) {
    texts_.tolerance = options_.tolerance;
  }

  ClusterMethod method() const override {
    SpectralOptions options = options_;
    options.context = parse_context(texts_.context);
    return options;
  }
  std::vector<std::string> shared_groups() const override {
    return {kWeightsGroup, kCheckpointGroup, kSizeGroup};
  }

  void declare(OptionTable& options) override {
    constexpr std::size_t kMax = std::numeric_limits<std::uint32_t>::max();
    declare_spectral_options(options, texts_);
    options.number<std::size_t>("--dim", "D", options_.dimensions, {0, kMax},
                                "Vector dimension; 0 = the number of classes.");
    options.choice(
        "--agglomerate", options_.hierarchy,
        {{"window", SpectralHierarchy::window}, {"full", SpectralHierarchy::full}},
        "window = merge within a window, which words enter by frequency; full = merge all words at once (for small vocabularies: memory grows with the square of the number of words).");
    options.flag("--divide", divide_, "Split from the top by 2-means instead of merging from the bottom.");
    options.number<std::size_t>(
        "--spectral-window", "W", options_.window, {0, kMax},
        "Number of clusters in the window, at least K; 0 = K with --word-weights none, 2 K otherwise.");
    options.flag(
        "--refine", refine_,
        "Let words move by exchange afterwards, until no move raises the AMI; the tree is then that of "
        "firth tree.");
    options.flag("--write-vectors", write_vectors_, "Also write the vectors: vectors.npy and vectors.vocab.");
    options.text("--word2vec", "FILE", word2vec_, "Write the vectors to FILE as word2vec text.");
    options.writes_file();
    options.group(kWeightsGroup);
    options.one_of(
        "--word-weights;--weights", shared_->weights, {"auto", "none", "sqrt", "counts"},
        "Weight of a word when classes are merged: none = equal (as in the paper), sqrt = the square root of its count, counts = its count; auto = counts for texts, none for --vectors.");
  }

  ClusterResult run(const Counts& counts, ClassId classes, Session& session,
                    const std::string& folder) override {
    if (divide_ && options_.hierarchy == SpectralHierarchy::full) {
      throw UsageError("--divide and --agglomerate full exclude each other", "leave one of them out");
    }
    options_.classes = classes;
    options_.context = parse_context(texts_.context);
    options_.kappa = parse_kappa(texts_.kappa);
    options_.tolerance = texts_.tolerance;
    options_.weights = shared_->weights_or(options_.weights);
    options_.checkpoint = shared_->checkpoint;
    if (!refine_) options_.sizes = shared_->class_sizes();
    if (divide_) options_.hierarchy = SpectralHierarchy::divide;
    SpectralResult result = cluster_spectral(counts, options_, session.run());
    if (write_vectors_ && session.is_root())
      save_vectors(folder + "/vectors", result.vectors, VectorFormat::npy);
    if (!word2vec_.empty() && session.is_root())
      save_vectors(word2vec_, result.vectors, VectorFormat::word2vec);
    if (!refine_) return result;
    return refine(counts, std::move(result), session);
  }

 private:
  /// Exchange from the spectral classes; what the spectral run found out stays in the record.
  ClusterResult refine(const Counts& counts, ClusterResult spectral, Session& session) const {
    ExchangeOptions exchange;
    exchange.sizes = shared_->class_sizes();
    exchange.classes = spectral.clustering.class_count();
    exchange.init = ExchangeInit::given;
    exchange.start = std::move(spectral.clustering);
    ClusterResult result = cluster_exchange(counts, exchange, session.run());
    result.series = std::move(spectral.series);
    result.iterations.insert(result.iterations.begin(), spectral.iterations.begin(),
                             spectral.iterations.end());
    return result;
  }

  std::shared_ptr<SharedSettings> shared_;
  SpectralOptions options_;
  SpectralTexts texts_;
  bool divide_ = false;
  bool refine_ = false;
  bool write_vectors_ = false;
  std::string word2vec_;
};

}  // namespace

std::unique_ptr<MethodOptions> make_spectral_method(std::shared_ptr<SharedSettings> settings) {
  return std::make_unique<SpectralMethod>(std::move(settings));
}

}  // namespace firth::cli
