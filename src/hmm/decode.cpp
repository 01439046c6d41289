#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "firth/hmm.hpp"
#include "hmm/lattice.hpp"
#include "text/sentence_reader.hpp"

namespace firth {
namespace hmm {
namespace {

/// Reads sentences in the words of a model.
class ModelReader {
 public:
  ModelReader(const HmmModel& model, const Inputs& inputs, const TextOptions& text, const RunOptions& run)
      : weights_(with_unknown(model)),
        index_(model.vocabulary),
        unknown_(static_cast<WordId>(model.vocabulary.size())),
        reader_(text::expand_inputs(inputs, run.stop), text, run) {
    if (const auto unk = index_.find(kUnknownWord)) unknown_ = *unk;
  }

  const Weights& weights() const { return weights_; }

  /// The next sentence that has words.
  bool next() {
    std::span<const WordId> read;
    do {
      if (!reader_.next(read)) return false;
    } while (read.empty());
    words.clear();
    ids.clear();
    for (const WordId word : read) {
      if (word >= known_.size()) known_.resize(reader_.word_count(), kNotLookedUp);
      if (known_[word] == kNotLookedUp) known_[word] = index_.find(reader_.word(word)).value_or(unknown_);
      ids.push_back(known_[word]);
      words.push_back(reader_.word(word));
    }
    return true;
  }

  std::vector<std::string_view> words;
  std::vector<WordId> ids;

 private:
  static constexpr WordId kNotLookedUp = static_cast<WordId>(-1);

  /// One word more: it says nothing about the states.
  static Weights with_unknown(const HmmModel& model) {
    Weights weights(model);
    weights.emissions.resize((model.vocabulary.size() + 1) * weights.stride, 0.0);
    for (std::size_t i = 0; i < weights.states; ++i) {
      weights.emissions[model.vocabulary.size() * weights.stride + i] = 1;
    }
    return weights;
  }

  Weights weights_;
  WordIndex index_;
  WordId unknown_;
  text::SentenceReader reader_;
  std::vector<WordId> known_;
};

std::vector<std::uint32_t> best_states(const Weights& weights, std::size_t tokens, const double* gamma) {
  std::vector<std::uint32_t> states(tokens);
  for (std::size_t t = 0; t < tokens; ++t) {
    const double* row = gamma + t * weights.stride;
    states[t] = static_cast<std::uint32_t>(std::max_element(row, row + weights.states) - row);
  }
  return states;
}

}  // namespace
}  // namespace hmm

void decode_text(const HmmModel& model, const Inputs& inputs, const HmmDecodeOptions& options,
                 const StateSink& sink, const RunOptions& run) {
  hmm::ModelReader reader(model, inputs, options.text, run);
  const hmm::Weights& weights = reader.weights();
  hmm::Lattice lattice(weights);
  hmm::Viterbi viterbi(weights);
  hmm::TransitionSums sums(weights);
  base::AlignedVector<double> gamma;
  std::vector<const double*> emissions;
  while (reader.next()) {
    run.check_stop();
    if (options.decoding == HmmDecoding::posterior && std::isfinite(lattice.forward(reader.ids))) {
      gamma.resize(reader.ids.size() * weights.stride);
      lattice.backward(reader.ids, gamma.data(), sums);
      sink(reader.words, hmm::best_states(weights, reader.ids.size(), gamma.data()));
      continue;
    }
    emissions.clear();
    for (const WordId word : reader.ids) emissions.push_back(weights.emission(word));
    sink(reader.words, viterbi.path(emissions));
  }
}

double hmm_log_likelihood(const HmmModel& model, const Inputs& inputs, const TextOptions& text,
                          const RunOptions& run) {
  hmm::ModelReader reader(model, inputs, text, run);
  hmm::Lattice lattice(reader.weights());
  double sum = 0;
  while (reader.next()) sum += lattice.forward(reader.ids);
  return sum;
}

}  // namespace firth
