#include "hmm/expectation.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"

namespace firth::hmm {
namespace {

// Sizes in tokens. They decide the order of sums, so they must not depend on the machine.
constexpr std::size_t kChunkTokens = 1024;
constexpr std::size_t kBatchTokens = 32 * kChunkTokens;

}  // namespace

Expectation::Expectation(const Text& text, std::size_t states, const RunOptions& run)
    : text_(text), run_(run) {
  plan();
  std::size_t max_chunks = 0;
  std::uint64_t max_tokens = 0;
  for (const Batch& batch : batches_) {
    max_chunks = std::max(max_chunks, batch.last_chunk - batch.first_chunk);
    max_tokens = std::max<std::uint64_t>(max_tokens, batch.order.size());
  }
  const Weights shape(states, 0);
  gamma_.resize(max_tokens * shape.stride);
  sums_.assign(max_chunks, TransitionSums(shape));
  log_likelihood_.resize(max_chunks);
}

std::uint64_t Expectation::bytes(const Text& text, std::size_t states) {
  const std::uint64_t stride = Weights::stride_of(states);
  std::uint64_t longest = 0;
  for (std::size_t i = 0; i < text.sentences(); ++i) {
    longest = std::max<std::uint64_t>(longest, text.sentence(i).size());
  }
  return sizeof(double) * stride * (kBatchTokens + 2 * longest + 34 * states + 2 * text.vocabulary.size()) +
         sizeof(std::uint32_t) * text.words.size();
}

void Expectation::plan() {
  std::size_t first = 0;
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < text_.sentences(); ++i) {
    tokens += text_.sentence(i).size();
    if (tokens < kChunkTokens && i + 1 < text_.sentences()) continue;
    chunks_.push_back({first, i + 1});
    first = i + 1;
    tokens = 0;
  }
  std::size_t first_chunk = 0;
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    for (std::size_t i = chunks_[c].first; i < chunks_[c].last; ++i) tokens += text_.sentence(i).size();
    if (tokens < kBatchTokens && c + 1 < chunks_.size()) continue;
    batches_.push_back(make_batch(first_chunk, c + 1));
    first_chunk = c + 1;
    tokens = 0;
  }
}

Expectation::Batch Expectation::make_batch(std::size_t first_chunk, std::size_t last_chunk) const {
  const std::size_t first = chunks_[first_chunk].first;
  const std::size_t last = chunks_[last_chunk - 1].last;
  Batch batch{first_chunk, last_chunk, first == 0 ? 0 : text_.ends[first - 1], {}, {}};
  batch.order.resize(text_.ends[last - 1] - batch.first_token);
  std::iota(batch.order.begin(), batch.order.end(), 0U);
  const auto word = [&](std::uint32_t token) { return text_.words[batch.first_token + token]; };
  std::stable_sort(batch.order.begin(), batch.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return word(a) < word(b); });
  for (std::size_t i = 0; i < batch.order.size(); ++i) {
    if (i == 0 || word(batch.order[i]) != word(batch.order[i - 1])) batch.begins.push_back(i);
  }
  batch.begins.push_back(batch.order.size());
  return batch;
}

void Expectation::run(const Weights& weights, Expected& expected, const TokenRows& rows) {
  const std::size_t states = weights.states;
  expected.transitions.assign((states + 1) * (states + 1), 0.0);
  expected.emissions.assign(text_.vocabulary.size() * states, 0.0);
  expected.log_likelihood = 0;
  for (const Batch& batch : batches_) run_batch(weights, batch, rows, expected);
}

void Expectation::run_batch(const Weights& weights, const Batch& batch, const TokenRows& rows,
                            Expected& expected) {
  const std::size_t chunks = batch.last_chunk - batch.first_chunk;
  base::parallel_for(chunks, 1, run_.threads, [&](std::size_t begin, std::size_t end) {
    Lattice lattice(weights);
    for (std::size_t c = begin; c < end; ++c) {
      run_.check_stop();
      sums_[c].clear();
      log_likelihood_[c] = 0;
      const Chunk chunk = chunks_[batch.first_chunk + c];
      for (std::size_t i = chunk.first; i < chunk.last; ++i) {
        const auto sentence = text_.sentence(i);
        const std::uint64_t token = text_.ends[i] - sentence.size() - batch.first_token;
        const std::uint64_t place = (batch.first_token + token) * weights.stride;
        log_likelihood_[c] +=
            lattice.forward(sentence, rows.penalties == nullptr ? nullptr : rows.penalties + place);
        double* gamma = gamma_.data() + token * weights.stride;
        lattice.backward(sentence, gamma, sums_[c]);
        if (rows.state_probabilities == nullptr) continue;
        std::copy_n(gamma, sentence.size() * weights.stride, rows.state_probabilities + place);
      }
    }
  });
  const std::size_t states = weights.states;
  for (std::size_t c = 1; c < chunks; ++c) sums_[0].add(sums_[c]);
  for (std::size_t c = 0; c < chunks; ++c) expected.log_likelihood += log_likelihood_[c];
  for (std::size_t i = 0; i < states; ++i) {
    double* row = expected.transitions.data() + i * (states + 1);
    for (std::size_t j = 0; j < states; ++j) {
      const std::size_t place = i * weights.stride + j;
      row[j] += sums_[0].between[place] * weights.forward[place];
    }
    row[states] += sums_[0].end[i];
    expected.transitions[states * (states + 1) + i] += sums_[0].start[i];
  }
  add_emissions(weights, batch, expected);
}

void Expectation::add_emissions(const Weights& weights, const Batch& batch, Expected& expected) const {
  constexpr std::size_t kWords = 64;
  base::parallel_for(batch.begins.size() - 1, kWords, run_.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const WordId word = text_.words[batch.first_token + batch.order[batch.begins[i]]];
      double* out = expected.emissions.data() + word * weights.states;
      for (std::size_t k = batch.begins[i]; k < batch.begins[i + 1]; ++k) {
        const double* gamma = gamma_.data() + batch.order[k] * weights.stride;
        for (std::size_t state = 0; state < weights.states; ++state) out[state] += gamma[state];
      }
    }
  });
}

}  // namespace firth::hmm
