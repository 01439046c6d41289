// Uses a model that was read from hostile bytes in every way: a sanitizer sees what goes wrong.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "scratch.hpp"

namespace firth::fuzz {

inline void use(const LanguageModel& model) {
  LmState state = model.begin_sentence();
  for (WordId word = 0; word < model.word_count() && word < 50; ++word) {
    if (model.find(model.word(word)) != word) std::abort();
    const double p = model.advance(state, word);
    if (std::isnan(p) || p < 0) std::abort();
    if (model.has_classes() && model.class_name(model.class_of(word)).size() > 1'000'000) std::abort();
  }
  if (model.distribution(state).size() != model.word_count()) std::abort();
  for (const LmWord& word : model.suggest(state, 5)) {
    if (word.word >= model.word_count()) std::abort();
  }
  LmSampler sampler(model, 1);
  for (const WordId word : sampler.sentence(20)) {
    if (word >= model.word_count()) std::abort();
  }
}

}  // namespace firth::fuzz
