// firth cluster --method pos.
#include <firth/pos.hpp>

#include "commands/cluster_methods.hpp"

namespace firth::cli {
namespace {

class PosMethod : public MethodOptions {
 public:
  ClusterMethod method() const override { return options_; }

  void declare(OptionTable& options) override {
    constexpr double kMaxWeight = 1000;
    options.number<std::uint32_t>("--pos-restarts", "N", options_.restarts, {1, 1U << 20},
                                  "Number of runs with different random numbers; the best is kept.");
    options.real("--skip-weight", "W", options_.skip_weight, {0, kMaxWeight},
                 "Weight of words two places away, relative to direct neighbours; 0 = not used.");
    options.real("--suffix-weight", "W", options_.suffix_weight, {0, kMaxWeight},
                 "Weight of the endings of words.");
    options.real("--shape-weight", "W", options_.shape_weight, {0, kMaxWeight},
                 "Weight of the kinds of characters in a word.");
    options.real("--length-weight", "W", options_.length_weight, {0, kMaxWeight},
                 "Weight of the lengths of words.");
    options.real("--capital-weight", "W", options_.capital_weight, {0, kMaxWeight},
                 "Weight of capitals inside sentences; needs text that is not lower-cased.");
    options.real("--type-weight", "W", options_.type_weight, {0, kMaxWeight},
                 "Weight of the prior that rare words belong to classes with many words.");
    options.number<Count>("--max-tokens", "N", options_.max_tokens, {1, Count{1} << 40},
                          "In longer texts, scale the evidence of neighbours down to N tokens.");
    options.flag("--no-fold", no_fold_, "Treat words that differ only in case as different words.");
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
