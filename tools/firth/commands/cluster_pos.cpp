// firth cluster --method pos.
#include <firth/pos.hpp>

#include "commands/cluster_methods.hpp"

namespace firth::cli {
namespace {

class PosMethod : public MethodOptions {
 public:
  ClusterMethod method() const override { return options_; }

  void declare(OptionTable& options) override {
    constexpr double kMost = 1000;
    options.number<std::uint32_t>("--pos-restarts", "N", options_.restarts, {1, 1U << 20},
                                  "Runs with different random numbers; the best is kept.");
    options.real("--skip-weight", "W", options_.skip_weight, {0, kMost},
                 "What words two places away count against direct neighbours; 0 = nothing.");
    options.real("--suffix-weight", "W", options_.suffix_weight, {0, kMost}, "What endings of words count.");
    options.real("--shape-weight", "W", options_.shape_weight, {0, kMost},
                 "What the kinds of characters in a word count.");
    options.real("--length-weight", "W", options_.length_weight, {0, kMost}, "What lengths of words count.");
    options.real("--capital-weight", "W", options_.capital_weight, {0, kMost},
                 "What capitals inside sentences count; give text that is not lower-cased.");
    options.real("--type-weight", "W", options_.type_weight, {0, kMost},
                 "What it counts that rare words are mostly of classes with many words.");
    options.number<Count>("--max-tokens", "N", options_.max_tokens, {1, Count{1} << 40},
                          "Neighbours in a longer text count as if it had N words.");
    options.flag("--no-fold", no_fold_, "Words that differ in case are different words.");
    options.field_of_last("PosOptions::fold_case");
  }

  ClusterResult run(const Counts& counts, ClassId classes, Session& session, const std::string&) override {
    options_.classes = classes;
    options_.fold_case = !no_fold_;
    return cluster(counts, options_, session.run());
  }

 private:
  PosOptions options_;
  bool no_fold_ = false;
};

}  // namespace

std::unique_ptr<MethodOptions> make_pos_method() {
  return std::make_unique<PosMethod>();
}

}  // namespace firth::cli
