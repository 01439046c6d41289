#include "reference/naive_hmm.hpp"

#include <string>

namespace firth::reference {
namespace {

void normalise(double* values, std::size_t size, std::size_t step) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += values[i * step];
  for (std::size_t i = 0; i < size; ++i) values[i * step] /= sum;
}

}  // namespace

HmmModel random_hmm(base::Rng& rng, std::uint32_t states, std::size_t words, bool sparse) {
  std::vector<std::pair<std::string, Count>> named;
  for (std::size_t i = 0; i < words; ++i) named.emplace_back("w" + std::to_string(i), words - i);
  HmmModel model{Vocabulary::from_words(named), states, {}, {}};
  const auto draw = [&] { return sparse && rng.below(3) == 0 ? 0.0 : rng.uniform() + 1e-3; };
  model.transitions.resize((states + 1U) * (states + 1U));
  model.emissions.resize(words * states);
  for (double& p : model.transitions) p = draw();
  for (double& p : model.emissions) p = draw();
  model.transitions.back() = 0;
  for (std::uint32_t i = 0; i <= states; ++i) {
    model.transitions[i * (states + 1) + (i + 1) % std::max(states, 1U)] += 0.1;  // never only zeros
    normalise(model.transitions.data() + i * (states + 1), states + 1, 1);
  }
  for (std::uint32_t i = 0; i < states; ++i) {
    model.emissions[i] += 0.1;
    normalise(model.emissions.data() + i, words, states);
  }
  return model;
}

double joint_probability(const HmmModel& model, std::span<const WordId> sentence,
                         std::span<const std::uint32_t> states) {
  double p = model.transition(model.states, states[0]);
  for (std::size_t t = 0; t < sentence.size(); ++t) {
    p *= model.emission(sentence[t], states[t]);
    p *= model.transition(states[t], t + 1 < sentence.size() ? states[t + 1] : model.states);
  }
  return p;
}

void for_each_path(std::uint32_t states, std::size_t length,
                   const std::function<void(std::span<const std::uint32_t>)>& work) {
  std::vector<std::uint32_t> path(length, 0);
  while (true) {
    work(path);
    std::size_t t = 0;
    while (t < length && ++path[t] == states) path[t++] = 0;
    if (t == length) return;
  }
}

}  // namespace firth::reference
