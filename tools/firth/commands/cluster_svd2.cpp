// firth cluster --method svd2.
#include <firth/svd2.hpp>

#include "commands/cluster_methods.hpp"

namespace firth::cli {
namespace {

class Svd2Method : public MethodOptions {
 public:
  ClusterMethod method() const override { return options_; }

  void declare(OptionTable& options) override {
    constexpr std::size_t kMaxColumns = 20000;
    options.number<std::size_t>("--w1", "N", options_.context_words, {1, kMaxColumns},
                                "Contexts of the first pass: the N most frequent words.");
    options.number<std::size_t>("--r1", "R", options_.rank1, {1, kMaxColumns},
                                "Rank of the first pass, on each side.");
    options.number<std::size_t>("--k1", "K", options_.clusters1, {1, kMaxColumns},
                                "Number of clusters in the first pass; they are the contexts of the second.");
    options.number<std::size_t>("--r2", "R", options_.rank2, {1, kMaxColumns},
                                "Rank of the second pass, on each side.");
    options.flag("--no-scale", no_scale_, "Do not multiply singular vectors by their singular values.");
    options.flag("--no-unit", no_unit_, "Do not normalise descriptors to length 1.");
    options.flag("--no-weights", no_weights_,
                 "Give rare words the same weight as frequent ones in centroids.");
    options.flag("--random-centroids", random_, "Start from random words instead of the most frequent ones.");
    options.flag("--one-pass", one_pass_, "Make the classes in the first pass, without a second one.");
    options.flag("--descriptors", vectors_, "Also write the descriptors: vectors.npy and vectors.vocab.");
  }

  ClusterResult run(const Counts& counts, ClassId classes, Session& session,
                    const std::string& folder) override {
    options_.classes = classes;
    options_.scale = !no_scale_;
    options_.unit_length = !no_unit_;
    options_.weighted = !no_weights_;
    options_.frequent_seeds = !random_;
    options_.second_pass = !one_pass_;
    Svd2Result result = cluster_svd2(counts, options_, session.run());
    if (vectors_) save_vectors(folder + "/vectors", result.vectors, VectorFormat::npy);
    return result;
  }

 private:
  Svd2Options options_;
  bool no_scale_ = false;
  bool no_unit_ = false;
  bool no_weights_ = false;
  bool random_ = false;
  bool one_pass_ = false;
  bool vectors_ = false;
};

}  // namespace

std::unique_ptr<MethodOptions> make_svd2_method() {
  return std::make_unique<Svd2Method>();
}

}  // namespace firth::cli
