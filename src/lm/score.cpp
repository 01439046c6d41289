#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/hash.hpp"
#include "base/internals.hpp"
#include "lm/model.hpp"
#include "lm/text_ids.hpp"
#include "text/inputs.hpp"

namespace firth {
namespace {

double perplexity_of(double log10, std::uint64_t tokens) {
  if (tokens == 0) return std::numeric_limits<double>::quiet_NaN();
  return std::pow(10.0, -log10 / static_cast<double>(tokens));
}

}  // namespace

double LmScore::perplexity() const {
  return perplexity_of(log10_known, words + ends - unknown - impossible - contexts_only);
}

double LmScore::perplexity_with_unknown() const {
  return perplexity_of(log10_known + log10_unknown, words + ends - impossible - contexts_only);
}

double LmScore::perplexity_per_word() const {
  return perplexity_of(log10_known, words - unknown - impossible - contexts_only);
}

LmScore& LmScore::operator+=(const LmScore& other) {
  sentences += other.sentences;
  words += other.words;
  unknown += other.unknown;
  impossible += other.impossible;
  log10_known += other.log10_known;
  log10_unknown += other.log10_unknown;
  ends += other.ends;
  contexts_only += other.contexts_only;
  predictions += other.predictions;
  right_class += other.right_class;
  for (std::size_t i = 0; i < right_word.size(); ++i) right_word[i] += other.right_word[i];
  return *this;
}

namespace lm {
namespace {

struct StateHash {
  std::size_t operator()(const LmState& state) const noexcept {
    std::uint64_t hash = 0;
    for (const std::uint32_t node : state.nodes) {
      hash = (hash ^ node) * base::kGoldenRatio;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// Guesses the next class and words, and remembers its guesses: contexts come again.
class Guesser {
 public:
  explicit Guesser(const Model& model) : model_(model), words_(model), classes_(model.first()) {}

  void guess(const LmState& state, WordId truth, LmScore& score) {
    auto [place, fresh] = guesses_.try_emplace(state);
    if (fresh) place->second = make(state);
    const Guess& guess = place->second;
    ++score.predictions;
    if (model_.single() && guess.symbol == model_.first().symbol_of(truth)) ++score.right_class;
    for (std::size_t rank = 0; rank < guess.words.size(); ++rank) {
      if (guess.words[rank].word != truth) continue;
      for (std::size_t i = 0; i < kAccuracyDepths.size(); ++i) {
        if (rank < kAccuracyDepths[i]) ++score.right_word[i];
      }
    }
  }

 private:
  struct Guess {
    Symbol symbol = kUnknownSymbol;
    std::vector<LmWord> words;
  };

  Guess make(const LmState& state) {
    Guess guess;
    guess.words = words_.words(state, kAccuracyDepths.back());
    if (!model_.single()) return guess;
    const std::vector<LmWord> best = classes_.symbols(state.nodes[0], 1, true);
    if (!best.empty()) guess.symbol = best.front().word;
    return guess;
  }

  const Model& model_;
  ModelSuggester words_;
  Suggester classes_;
  std::unordered_map<LmState, Guess, StateHash> guesses_;
};

class Scorer {
 public:
  Scorer(const LanguageModel& model, bool accuracy) : model_(model), boundaries_(model.has_boundaries()) {
    if (accuracy) guesser_ = std::make_unique<Guesser>(base::internals(model));
  }

  LmScore sentence(std::span<const WordId> words) {
    LmScore score;
    if (words.empty()) return score;
    score.sentences = 1;
    score.words = words.size();
    LmState state = model_.begin_sentence();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!boundaries_ && i == 0) {
        model_.advance(state, words[0]);
        score.contexts_only = 1;
        continue;
      }
      token(state, words[i], score);
    }
    if (!boundaries_) return score;
    score.ends = 1;
    token(state, LanguageModel::kEnd, score);
    return score;
  }

 private:
  void token(LmState& state, WordId word, LmScore& score) {
    const bool unknown = word == LanguageModel::kUnknown;
    if (guesser_ && !unknown) guesser_->guess(state, word, score);
    const double p = model_.advance(state, word);
    if (unknown) ++score.unknown;
    if (p <= 0 && !unknown) {
      ++score.impossible;
      return;
    }
    (unknown ? score.log10_unknown : score.log10_known) += std::log10(p);
  }

  const LanguageModel& model_;
  bool boundaries_;
  std::unique_ptr<Guesser> guesser_;
};

}  // namespace
}  // namespace lm

LmScore score_text(const LanguageModel& model, const Inputs& inputs, const LmScoreOptions& options,
                   const std::function<void(const LmScore&)>& each, const RunOptions& run) {
  lm::Scorer scorer(model, options.accuracy);
  LmScore sum;
  lm::visit_sentences(
      text::expand_inputs(inputs, run.stop), options.text, base::internals(model).words, run,
      [&](std::span<const WordId> words) {
        const LmScore score = scorer.sentence(words);
        sum += score;
        if (each) each(score);
      },
      static_cast<bool>(each));
  return sum;
}

}  // namespace firth
