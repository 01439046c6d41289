// The way from trees to a grammar.
#include <span>
#include <vector>

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
  validate(options.checkpoint);
  if (!options.checkpoint.file.empty() && options.algorithm != LpcfgAlgorithm::em)
    throw UsageError("a checkpoint keeps the steps of em, and there are none",
                     "leave it out, or learn by em");
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

namespace grammar {
namespace {

/// A model of a run; `first` is the number of its first grammar.
Lpcfg train_model(const Inputs& inputs, const LpcfgTrainOptions& options, const GrammarPlace& first,
                  const RunOptions& run) {
  const TrainingSet set = read_training_set(inputs, options, run);
  std::vector<LatentGrammar> grammars;
  for (std::uint32_t i = 0; i < options.latent.grammars; ++i) {
    RunOptions own = run;
    own.seed = base::Rng::stream_seed(run.seed, i);
    grammars.push_back(train_grammar(set, options, {first.checkpoint, first.number + i}, own));
    run.check_stop();
  }
  const Clustering* const clusters = options.clusters ? &*options.clusters : nullptr;
  return Lpcfg(make_parser_model(set, grammars, clusters, run));
}

std::vector<Lpcfg> train_models(const Inputs& inputs, std::span<const LpcfgTrainOptions> options,
                                GrammarCheckpoint& checkpoint, const RunOptions& run) {
  constexpr std::uint64_t kSeedsApart = 10;  // any will do; the figures in docs were made with this one
  std::vector<Lpcfg> models;
  std::size_t number = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    RunOptions own = run;
    own.seed = run.seed + (i == 0 ? 0 : (i + 1) * kSeedsApart);
    models.push_back(train_model(inputs, options[i], {checkpoint, number}, own));
    number += options[i].latent.grammars;
  }
  return models;
}

}  // namespace
}  // namespace grammar

std::vector<Lpcfg> train_grammars(const Inputs& inputs, std::span<const LpcfgTrainOptions> options,
                                  const RunOptions& run) {
  if (options.empty()) return {};
  for (const LpcfgTrainOptions& each : options) validate(each);
  grammar::GrammarCheckpoint checkpoint(options, run);
  try {
    std::vector<Lpcfg> models = grammar::train_models(inputs, options, checkpoint, run);
    checkpoint.write(run);
    return models;
  } catch (const Cancelled&) {
    checkpoint.write(run);
    throw;
  }
}

Lpcfg train_lpcfg(const Inputs& inputs, const LpcfgTrainOptions& options, const RunOptions& run) {
  return train_grammars(inputs, std::span(&options, 1), run).front();
}

namespace grammar {

LatentGrammar train_grammar(const TrainingSet& set, const LpcfgTrainOptions& options,
                            const GrammarPlace& place, const RunOptions& run) {
  run.check_stop();
  switch (options.algorithm) {
    case LpcfgAlgorithm::pcfg:
      return train_pcfg(set.rules);
    case LpcfgAlgorithm::spectral:
      return learn_spectral(set, options.latent, run);
    case LpcfgAlgorithm::cluster:
      return learn_by_clusters(set, options.latent, run);
    case LpcfgAlgorithm::em:
      return learn_by_em(set, options.latent, place, run);
  }
  throw UsageError("unknown algorithm");
}

}  // namespace grammar
}  // namespace firth
