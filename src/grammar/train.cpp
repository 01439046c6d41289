// The way from trees to a grammar.
#include "base/rng.hpp"
#include "firth/error.hpp"
#include "grammar/learn.hpp"
#include "grammar/parser_model.hpp"

namespace firth {

void validate(const LpcfgTrainOptions& options) {
  validate(options.binarize);
  validate(options.latent);
  if (options.lexicon.rare < 1)
    throw UsageError("the count of rare words is at least 1", "1 makes no word rare");
  if (options.lexicon.class_size < 1) throw UsageError("a class of words has at least 1 word");
}

LpcfgTrainOptions recommended_training() {
  LpcfgTrainOptions options;
  options.algorithm = LpcfgAlgorithm::em;
  options.binarize.horizontal = 1;
  options.binarize.vertical = 2;
  options.binarize.annotate_between = false;
  return options;
}

Lpcfg train_lpcfg(const Inputs& inputs, const LpcfgTrainOptions& options, const RunOptions& run) {
  validate(options);
  const grammar::TrainingSet set = grammar::read_training_set(inputs, options, run);
  std::vector<grammar::LatentGrammar> grammars;
  for (std::uint32_t i = 0; i < options.latent.grammars; ++i) {
    RunOptions own = run;
    own.seed = base::Rng::stream_seed(run.seed, i);
    grammars.push_back(grammar::train_grammar(set, options, own));
    run.check_stop();
  }
  const Clustering* const clusters = options.clusters ? &*options.clusters : nullptr;
  return Lpcfg(grammar::make_parser_model(set, grammars, clusters, run));
}

namespace grammar {

LatentGrammar train_grammar(const TrainingSet& set, const LpcfgTrainOptions& options, const RunOptions& run) {
  run.check_stop();
  switch (options.algorithm) {
    case LpcfgAlgorithm::pcfg:
      return train_pcfg(set.rules);
    case LpcfgAlgorithm::spectral:
      return learn_spectral(set, options.latent, run);
    case LpcfgAlgorithm::cluster:
      return learn_by_clusters(set, options.latent, run);
    case LpcfgAlgorithm::em:
      return learn_by_em(set, options.latent, run);
  }
  throw UsageError("unknown algorithm");
}

}  // namespace grammar
}  // namespace firth
