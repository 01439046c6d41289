// The n-grams of a text in a file: parts of a corpus are counted where they are, and one model is trained from all.
//
//   (void)firth::count_ngrams("part1.ngrams", "part1.txt", {.order = 3});
//   (void)firth::count_ngrams("part2.ngrams", "part2.txt", {.order = 3});
//   const std::vector<std::string> parts = {"part1.ngrams", "part2.ngrams"};
//   const firth::LmCounts counts = firth::load_lm_counts(parts);
//   const firth::LanguageModel model = firth::train_word_lm(counts, firth::VocabularyOptions{}, {.order = 3});
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "firth/class_lm.hpp"
#include "firth/clustering.hpp"
#include "firth/count.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/types.hpp"

namespace firth {

namespace lm {
struct CountFiles;
}

/// Which n-grams are counted. All words are: a vocabulary, or classes, are chosen when a model is trained.
struct LmCountOptions {
  /// Length of the n-grams, 1..6. Models of this and, with boundaries, of lower orders can be trained.
  int order = 3;
  /// As LmTrainOptions::boundaries.
  bool boundaries = true;
  TextOptions text = {};
};

/// Throws UsageError if the options make no sense.
void validate(const LmCountOptions& options);

/// What was counted.
struct LmCountsInfo {
  int order = 0;
  bool boundaries = true;
  std::string text_options;                    ///< how the text was read, as CountsInfo::text_options
  std::optional<Preprocessing> preprocessing;  ///< what models keep of that
  std::uint64_t sentences = 0;                 ///< with words
  Count tokens = 0;
  std::uint64_t words = 0;   ///< different ones; of several files, the sum
  std::uint64_t ngrams = 0;  ///< different ones; of several files, the sum
};

/// The n-grams of one or several files, which stay on the disk. Cheap to copy.
class LmCounts {
 public:
  [[nodiscard]] const LmCountsInfo& info() const;

 private:
  friend struct detail::ModelAccess;
  explicit LmCounts(std::shared_ptr<const lm::CountFiles> files) : files_(std::move(files)) {}
  [[nodiscard]] const lm::CountFiles& internals() const { return *files_; }

  std::shared_ptr<const lm::CountFiles> files_;
};

/// Counts the n-grams of a text into a file, whose bytes depend on the text and the options alone. The text is read
/// twice. With RunOptions::memory_bytes, sorted runs go to a temporary file. With RunOptions::world, every rank reads a
/// part of the text, rank 0 writes the same file, and all get the same result. Throws InputError, IoError, UsageError.
[[nodiscard]] LmCountsInfo count_ngrams(const std::string& path, const Inputs& inputs,
                                        const LmCountOptions& options, const RunOptions& run = {});

/// Opens files of n-grams that belong together. Throws FormatError if one is damaged, UsageError if they were counted
/// with different options.
[[nodiscard]] LmCounts load_lm_counts(std::span<const std::string> paths, const RunOptions& run = {});

/// Writes the sum of all files as one: the bytes that count_ngrams() gives for all texts together.
[[nodiscard]] LmCountsInfo merge_lm_counts(const std::string& path, const LmCounts& counts,
                                           const RunOptions& run = {});

/// The models that training on the texts gives, byte for byte. LmTrainOptions::boundaries and LmTrainOptions::text are
/// those of the counts. Throws UsageError if the order is higher than that of the counts (without boundaries: is
/// another one).
[[nodiscard]] LanguageModel train_class_lm(const LmCounts& counts, const Clustering& classes,
                                           const LmTrainOptions& options, const RunOptions& run = {});
[[nodiscard]] LanguageModel train_word_lm(const LmCounts& counts, const VocabularyOptions& vocabulary,
                                          const LmTrainOptions& options, const RunOptions& run = {});
[[nodiscard]] LanguageModel train_word_lm(const LmCounts& counts, const Vocabulary& vocabulary,
                                          const LmTrainOptions& options, const RunOptions& run = {});

}  // namespace firth
