// Uses a model that was read from hostile bytes in every way: a sanitizer sees what goes wrong.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

#include "firth/class_lm.hpp"
#include "firth/error.hpp"

namespace firth::fuzz {

/// A file for all runs of this process, in memory where the system allows.
class Scratch {
 public:
  Scratch() { ::close(::mkstemp(path_.data())); }
  ~Scratch() { ::unlink(path_.c_str()); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_;
  }

 private:
  std::string path_ =
      (::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + std::string("/firth-fuzz-XXXXXX");
};

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
