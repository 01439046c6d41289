// A text in two parts: sentences kept apart, and the others.
#pragma once

#include <cstdint>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "text/inputs.hpp"

namespace firth::lm {

/// Which sentences to read.
enum class Share { all, training, held_out };

/// Whether sentence `number` of `sentences` is kept apart: a twentieth, in ten stretches spread evenly.
bool is_held_out(std::uint64_t number, std::uint64_t sentences) noexcept;

/// A text that can be read again and again, in whole or in part. Blank lines are no sentences.
class DividedText {
 public:
  /// Reads everything once. Throws as reading does.
  DividedText(const Inputs& inputs, const TextOptions& options, const RunOptions& run);

  std::uint64_t sentences() const noexcept { return sentences_; }
  std::uint64_t held_out() const noexcept;
  std::uint64_t tokens() const noexcept { return tokens_; }

  /// The sentences of a share, for one reader. The text and `run` must outlive it.
  Inputs share(Share which) const;
  /// How a share is to be read: its words are words already.
  TextOptions share_options() const;

 private:
  std::vector<text::InputFile> files_;
  TextOptions options_;
  const RunOptions& run_;
  std::uint64_t sentences_ = 0;
  std::uint64_t tokens_ = 0;
};

}  // namespace firth::lm
