// Sentences as numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firth/counts.hpp"
#include "firth/hmm.hpp"
#include "firth/types.hpp"

namespace firth::hmm {

/// A text as ranks of a vocabulary; sentences without words are left out.
struct Text {
  Vocabulary vocabulary;
  std::vector<WordId> words;
  std::vector<std::uint64_t> ends;  ///< one behind the last word of each sentence

  std::size_t sentences() const noexcept { return ends.size(); }
  std::span<const WordId> sentence(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(words).subspan(begin, ends[i] - begin);
  }
};

/// Reads text; words outside the vocabulary of the options become `<unk>`. Throws InputError if there are
/// none.
Text read_text(const Inputs& inputs, const HmmOptions& options, const RunOptions& run);

}  // namespace firth::hmm
