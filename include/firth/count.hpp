// Text in, counts out.
//
//   const firth::Counts counts = firth::count_text({"a.txt", "b.txt.zst"}, {.vocabulary = {.min_count = 3}}, {});
//   firth::save_counts("text.counts", counts);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/counts.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"

namespace firth {

/// Everything that decides the result of counting.
struct CountOptions {
  /// Distances to count, rising, each 1..5. Offset -d of a context is the transpose of +d.
  std::vector<int> distances = {1};
  TextOptions text = {};
  VocabularyOptions vocabulary = {};
  /// Share of the text, below 1, whose bigrams are also counted by themselves (Counts::held_out()): blocks of words that
  /// follow each other, spread over the text by run.seed. 0 = none. Count files and tables know no blocks.
  double held_out_share = 0;
};

/// Throws UsageError if the options make no sense.
void validate(const CountOptions& options);

/// Counts words and pairs of the inputs. The result does not depend on threads, memory or order of inputs;
/// pairs that do not fit the memory limit go to temporary files without a name. Input without words gives
/// empty counts. Throws InputError (with file, line and column in bytes; the first in the order of the
/// inputs), IoError, UsageError, ResourceError, Cancelled. docs/formats.md has the rules of each format. On several
/// ranks (RunOptions::world) the counts are on rank 0, and empty on the others; read_counts() gives them to all.
[[nodiscard]] Counts count_text(const Inputs& inputs, const CountOptions& options,
                                const RunOptions& run = {});

/// Writes counts to `path` ("-" is not allowed): complete or not at all.
void save_counts(const std::string& path, const Counts& counts);

/// Maps a count file into memory after checking it. Throws FormatError if it is damaged or of another
/// version.
[[nodiscard]] Counts load_counts(const std::string& path);

/// Whether the file starts like a count file; false for "-", folders and pipes. Throws IoError.
[[nodiscard]] bool is_count_file(const std::string& path);

/// The sum of count files that were made with the same text options and distances and not restricted; throws
/// UsageError if they were not, FormatError if one is damaged.
[[nodiscard]] Counts merge_counts(std::span<const std::string> paths, const RunOptions& run = {});

/// The min_count that suits a text of `tokens` words: 1 below half a million, 3 from there, 5 from ten million.
/// Rarer words have too few neighbours for a class of their own choice, and slow every method down.
[[nodiscard]] Count suggested_min_count(Count tokens);
/// The same for counts: by their tokens, and 1 for token ids read from a file, since every id needs a class.
[[nodiscard]] Count suggested_min_count(const Counts& counts);

/// Applies vocabulary options to counts: words left out become `<unk>` or make no pairs. RarePolicy::drop
/// needs the text and throws UsageError.
[[nodiscard]] Counts restrict_vocabulary(const Counts& counts, const VocabularyOptions& options,
                                         const RunOptions& run = {});

/// Text or count files, whichever the inputs are: what every command that needs counts calls. Several count
/// files are merged. Throws UsageError for a mixture, or if the counts do not have what the options ask for;
/// InputError if there are no words.
[[nodiscard]] Counts read_counts(const Inputs& inputs, const CountOptions& options,
                                 const RunOptions& run = {});

}  // namespace firth
