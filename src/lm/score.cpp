#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/internals.hpp"
#include "base/parallel.hpp"
#include "lm/model.hpp"
#include "lm/sentence_walk.hpp"
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
    for (const Part& part : base::internals(model).parts) walks_.emplace_back(part);
  }

  /// `scores` has one for each sentence.
  void score(std::span<const std::span<const WordId>> sentences, std::span<LmScore> scores) {
    std::size_t tokens = 0;
    for (const auto& words : sentences) tokens += token_count(words, boundaries_);
    probabilities_.assign(tokens, 0.0);
    for (SentenceWalk& walk : walks_) walk.add(sentences, probabilities_);
    std::span<const double> rest(probabilities_);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const std::size_t count = token_count(sentences[i], boundaries_);
      scores[i] = sentence(sentences[i], rest.first(count));
      rest = rest.subspan(count);
    }
  }

 private:
  LmScore sentence(std::span<const WordId> words, std::span<const double> probabilities) {
    LmScore score;
    if (words.empty()) return score;
    score.sentences = 1;
    score.words = words.size();
    score.contexts_only = boundaries_ ? 0 : 1;
    score.ends = boundaries_ ? 1 : 0;
    for (std::size_t i = score.contexts_only; i < probabilities.size(); ++i) {
      token(i < words.size() ? words[i] : LanguageModel::kEnd, probabilities[i], score);
    }
    if (guesser_) guess(words, score);
    return score;
  }

  void guess(std::span<const WordId> words, LmScore& score) {
    LmState state = model_.begin_sentence();
    for (std::size_t i = 0; i < token_count(words, boundaries_); ++i) {
      const WordId word = i < words.size() ? words[i] : LanguageModel::kEnd;
      if (word != LanguageModel::kUnknown && i >= score.contexts_only) guesser_->guess(state, word, score);
      model_.advance(state, word);
    }
  }

  static void token(WordId word, double p, LmScore& score) {
    const bool unknown = word == LanguageModel::kUnknown;
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
  std::vector<SentenceWalk> walks_;  // one for each part
  std::vector<double> probabilities_;
};

/// Scorers for as many threads as come: each keeps what it guessed.
class ScorerPool {
 public:
  ScorerPool(const LanguageModel& model, bool accuracy) : model_(model), accuracy_(accuracy) {}

  std::unique_ptr<Scorer> take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return std::make_unique<Scorer>(model_, accuracy_);
    std::unique_ptr<Scorer> scorer = std::move(free_.back());
    free_.pop_back();
    return scorer;
  }
  void return_to_pool(std::unique_ptr<Scorer> scorer) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(scorer));
  }

 private:
  const LanguageModel& model_;
  bool accuracy_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scorer>> free_;
};

/// Sentences that are scored together.
struct Batch {
  std::vector<WordId> words;
  std::vector<std::size_t> ends;  ///< of each sentence
  std::vector<LmScore> scores;

  std::span<const WordId> sentence(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(words).subspan(begin, ends[i] - begin);
  }
};

/// Reads a batch while another is scored. What goes wrong with reading is told when the sentences before it are done.
class BatchReader {
 public:
  explicit BatchReader(IdReader& reader) : reader_(reader) {}

  void fill(Batch& batch) noexcept {
    constexpr std::size_t kWords = std::size_t{1} << 16;
    batch.words.clear();
    batch.ends.clear();
    try {
      while (batch.words.size() < kWords && reader_.next(sentence_)) {
        batch.words.insert(batch.words.end(), sentence_.begin(), sentence_.end());
        batch.ends.push_back(batch.words.size());
      }
    } catch (...) {
      problem_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  IdReader& reader_;
  std::vector<WordId> sentence_;
  std::exception_ptr problem_;
};

/// Piece 0 reads the next batch, the others score sentences of this one.
void score_batch(Batch& batch, Batch& next, BatchReader& reader, ScorerPool& pool, unsigned threads) {
  constexpr std::size_t kSentences = 64;
  batch.scores.assign(batch.ends.size(), {});
  const std::size_t pieces = (batch.ends.size() + kSentences - 1) / kSentences;
  base::parallel_for(pieces + 1, 1, threads, [&](std::size_t piece, std::size_t /*end*/) {
    if (piece == 0) return reader.fill(next);
    std::unique_ptr<Scorer> scorer = pool.take();
    const std::size_t end = std::min(piece * kSentences, batch.ends.size());
    const std::size_t begin = (piece - 1) * kSentences;
    std::vector<std::span<const WordId>> sentences;
    for (std::size_t i = begin; i < end; ++i) sentences.push_back(batch.sentence(i));
    scorer->score(sentences, std::span(batch.scores).subspan(begin, end - begin));
    pool.return_to_pool(std::move(scorer));
  });
}

}  // namespace
}  // namespace lm

LmScore score_text(const LanguageModel& model, const Inputs& inputs, const LmScoreOptions& options,
                   const std::function<void(const LmScore&)>& each, const RunOptions& run) {
  lm::IdReader words({text::expand_inputs(inputs, run.stop), options.text, static_cast<bool>(each)},
                     base::internals(model).words, run);
  lm::BatchReader reader(words);
  lm::ScorerPool pool(model, options.accuracy);
  lm::Batch batch;
  lm::Batch next;
  LmScore sum;
  for (reader.fill(batch); !batch.ends.empty(); std::swap(batch, next)) {
    run.check_stop();
    lm::score_batch(batch, next, reader, pool, run.threads);
    for (const LmScore& score : batch.scores) {
      sum += score;
      if (each) each(score);
    }
  }
  reader.rethrow();
  return sum;
}

}  // namespace firth
