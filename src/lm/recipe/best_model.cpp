#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "firth/auto.hpp"
#include "firth/class_lm.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/lm_recipe.hpp"
#include "lm/recipe/held_out.hpp"

namespace firth {
namespace lm {
namespace {

constexpr std::uint64_t kMinSentences = 200;
constexpr int kFirstOrder = 3;
constexpr double kWorthwhile = 0.002;  // a longer n-gram must lower the perplexity by this share
constexpr double kMinWeight = 0.02;    // a part with less is left out

/// Numbers of classes for a text: few, the usual, many. At most as many as words.
std::vector<ClassId> class_sizes(std::uint64_t tokens, std::size_t words) {
  const double usual = 200 * std::cbrt(static_cast<double>(tokens) / 1e6);
  std::vector<ClassId> sizes;
  for (const double factor : {0.25, 1.0, 3.0}) {
    const double wanted = std::clamp(std::round(factor * usual), 2.0, 3000.0);
    const auto size = static_cast<ClassId>(std::min(wanted, static_cast<double>(words) / 2));
    if (size >= 2 && (sizes.empty() || size > sizes.back())) sizes.push_back(size);
  }
  return sizes;
}

/// Passes everything on, but says a warning only once: models of one text share their troubles.
class SayOnce final : public ProgressSink {
 public:
  explicit SayOnce(ProgressSink* sink) : sink_(sink) {}
  void begin(std::string_view stage, std::string_view unit, std::uint64_t total) override {
    if (sink_ != nullptr) sink_->begin(stage, unit, total);
  }
  void advance(std::uint64_t done, std::string_view note) override {
    if (sink_ != nullptr) sink_->advance(done, note);
  }
  void end() override {
    if (sink_ != nullptr) sink_->end();
  }
  void warn(std::string_view message) override {
    const bool fresh = said_.insert(std::string(message)).second;
    if (fresh && sink_ != nullptr) sink_->warn(message);
  }

 private:
  ProgressSink* sink_;
  std::set<std::string> said_;
};

/// A part, and the model that was trained for it.
struct Candidate {
  LmRecipePart part;
  LanguageModel model;
};

/// Trains models on one share of the text.
class Workshop {
 public:
  Workshop(const DividedText& text, Share share, const LmRecipeOptions& options, const RunOptions& run)
      : text_(text), share_(share), run_(run) {
    CountOptions counting;
    counting.text = text.share_options();
    counting.vocabulary = options.vocabulary;
    counts_ = count_text(text.share(share), counting, run);
  }

  std::size_t words() const { return counts_->vocabulary().size(); }

  Clustering classes(ClassId number) const {
    AutoOptions options;
    options.classes = std::min(number, static_cast<ClassId>(words()));
    options.effort = SearchEffort::fast;
    options.boundaries = true;
    options.size_weight = 1.5;
    options.tree = false;
    return cluster_auto(*counts_, options, run_).clustering;
  }

  LanguageModel train(int order, const Clustering* classes) const {
    LmTrainOptions options;
    options.order = order;
    options.text = text_.share_options();
    if (classes != nullptr) return train_class_lm(text_.share(share_), *classes, options, run_);
    return train_word_lm(text_.share(share_), counts_->vocabulary(), options, run_);
  }

 private:
  const DividedText& text_;
  Share share_;
  const RunOptions& run_;
  std::optional<Counts> counts_;
};

/// The model with the order that suits the sentences kept apart best; orders rise while that helps.
Candidate best_order(const Workshop& workshop, const Clustering* classes, int max_order,
                     const DividedText& text, const RunOptions& run) {
  std::optional<Candidate> best;
  for (int order = kFirstOrder; order <= max_order; ++order) {
    LanguageModel model = workshop.train(order, classes);
    LmScoreOptions scoring;
    scoring.text = text.share_options();
    const double perplexity = score_text(model, text.share(Share::held_out), scoring, {}, run).perplexity();
    const bool better = !best || perplexity < (1 - kWorthwhile) * best->part.perplexity;
    if (!better) break;
    const auto number = classes == nullptr ? 0 : static_cast<ClassId>(classes->class_count());
    best = Candidate{{number, order, 0, perplexity}, std::move(model)};
  }
  return std::move(*best);
}

/// Weights that suit the sentences kept apart; parts that hardly matter get 0.
double set_weights(std::vector<Candidate>& candidates, const DividedText& text, const RunOptions& run) {
  std::vector<std::size_t> kept(candidates.size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i;
  while (kept.size() > 1) {
    std::vector<LanguageModel> models;
    models.reserve(kept.size());
    for (const std::size_t i : kept) models.push_back(candidates[i].model);
    const LmMixResult tuned = tune_weights(models, text.share(Share::held_out), text.share_options(), run);
    for (std::size_t i = 0; i < kept.size(); ++i) candidates[kept[i]].part.weight = tuned.weights[i];
    const auto least = std::min_element(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
      return candidates[a].part.weight < candidates[b].part.weight;
    });
    if (candidates[*least].part.weight >= kMinWeight) return tuned.perplexities.back();
    candidates[*least].part.weight = 0;
    kept.erase(least);
  }
  candidates[kept.front()].part.weight = 1;
  return candidates[kept.front()].part.perplexity;
}

/// All parts with a weight, from the whole text.
LanguageModel train_again(const std::vector<LmRecipePart>& parts, const DividedText& text,
                          const LmRecipeOptions& options, const RunOptions& run) {
  const Workshop workshop(text, Share::all, options, run);
  std::vector<LanguageModel> models;
  std::vector<double> weights;
  for (const LmRecipePart& part : parts) {
    if (part.weight <= 0) continue;
    std::optional<Clustering> classes;
    if (part.classes > 0) classes = workshop.classes(part.classes);
    models.push_back(workshop.train(part.order, classes ? &*classes : nullptr));
    weights.push_back(part.weight);
  }
  return models.size() == 1 ? models.front() : mix_models(models, weights);
}

std::vector<Candidate> make_candidates(const DividedText& text, const LmRecipeOptions& options,
                                       const RunOptions& run) {
  const Workshop workshop(text, Share::training, options, run);
  std::vector<Candidate> candidates;
  candidates.push_back(best_order(workshop, nullptr, options.max_order, text, run));
  for (const ClassId size : class_sizes(text.tokens(), workshop.words())) {
    const Clustering classes = workshop.classes(size);
    candidates.push_back(best_order(workshop, &classes, options.max_order, text, run));
  }
  return candidates;
}

}  // namespace
}  // namespace lm

void validate(const LmRecipeOptions& options) {
  validate(options.vocabulary);
  if (options.max_order < lm::kFirstOrder || options.max_order > 6) {
    throw UsageError(fmt::format("order {} is not possible", options.max_order), "use 3 to 6",
                     "LmRecipeOptions::max_order");
  }
  if (options.vocabulary.rare != RarePolicy::unk) {
    throw UsageError("a language model needs every place of the text",
                     "make rare words <unk> (VocabularyOptions::rare)", "VocabularyOptions::rare");
  }
}

LmRecipeResult train_best_lm(const Inputs& inputs, const LmRecipeOptions& options, const RunOptions& run) {
  validate(options);
  const lm::DividedText text(inputs, options.text, run);
  LmRecipeOptions fitted = options;
  if (options.fit_vocabulary) {
    fitted.vocabulary.min_count = std::max(options.vocabulary.min_count, suggested_min_count(text.tokens()));
  }
  if (text.sentences() < lm::kMinSentences) {
    throw InputError({inputs.first_name()}, fmt::format("only {} sentences", text.sentences()),
                     fmt::format("give {} or more, one per line", lm::kMinSentences));
  }
  lm::SayOnce sink(run.progress);
  RunOptions own = run;
  own.progress = &sink;
  std::vector<lm::Candidate> candidates = lm::make_candidates(text, fitted, own);
  const double perplexity = lm::set_weights(candidates, text, own);
  std::vector<LmRecipePart> parts;
  parts.reserve(candidates.size());
  for (const lm::Candidate& candidate : candidates) parts.push_back(candidate.part);
  candidates.clear();
  LanguageModel model = lm::train_again(parts, text, fitted, own);
  return {std::move(model), std::move(parts), perplexity, text.held_out(), text.sentences()};
}

}  // namespace firth
