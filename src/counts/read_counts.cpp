#include "base/rank_error.hpp"
#include "counts/count/counting.hpp"
#include "counts/ranks/count_on_ranks.hpp"
#include "counts/share_counts.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace {

// As CountsInfo::text_options has it.
std::string describe(TextOptions options) {
  if (options.format == InputFormat::automatic) options.format = InputFormat::text;
  return text::describe(options);
}

Counts from_count_files(std::span<const std::string> paths, const CountOptions& options,
                        const RunOptions& run) {
  const Counts counts = paths.size() == 1 ? load_counts(paths.front()) : merge_counts(paths, run);
  const std::string asked = describe(options.text);
  if (asked != describe({}) && asked != counts.info().text_options) {
    throw UsageError(paths.front() + " was made with other text options (" + counts.info().text_options + ")",
                     "count the text again, or leave these options out");
  }
  for (const int distance : options.distances) (void)counts.pairs_at(distance);
  return restrict_vocabulary(counts, options.vocabulary, run);
}

/// What is named: count files, or text.
struct NamedInputs {
  std::vector<text::InputFile> files;
  std::vector<std::string> count_files;
};

NamedInputs look_at(const Inputs& inputs, const RunOptions& run) {
  NamedInputs named;
  named.files = text::expand_inputs(inputs, run.stop);
  for (const text::InputFile& file : named.files) {
    if (file.memory == nullptr && is_count_file(file.path)) named.count_files.push_back(file.path);
  }
  if (!named.count_files.empty() && named.count_files.size() < named.files.size()) {
    throw UsageError("some inputs are count files and some are not",
                     "count the text first with count_text(), then name count files only");
  }
  return named;
}

void require_words(const Counts& counts, const Inputs& inputs, const NamedInputs& named) {
  if (!counts.vocabulary().empty()) return;
  throw InputError({named.files.size() == 1 ? inputs.first_name() : ""}, "the input contains no words",
                   "name another file");
}

/// Rank 0 alone needs count files; text is counted by all.
Counts read_on_ranks(const Inputs& inputs, const CountOptions& options, const RunOptions& run) {
  const base::Ranks ranks(run);
  RunOptions alone = run;
  alone.world = nullptr;
  NamedInputs named;
  Counts counts;
  base::together(ranks, [&] {
    if (!ranks.is_root()) return;
    named = look_at(inputs, run);
    if (!named.count_files.empty()) counts = from_count_files(named.count_files, options, alone);
  });
  const bool is_text = ranks.any(ranks.is_root() && named.count_files.empty() ? 1 : 0) != 0;
  const bool by_root = is_text && options.held_out_share > 0;  // blocks are known to who reads all
  if (is_text && !by_root) counts = counts::count_on_ranks(named.files, options, run);
  base::together(ranks, [&] {
    if (!ranks.is_root()) return;
    if (by_root) counts = counts::count_restricted(named.files, options, alone);
    require_words(counts, inputs, named);
  });
  return counts::share_counts(counts, ranks);
}

}  // namespace

Count suggested_min_count(Count tokens) {
  constexpr Count kSmall = 500'000;
  constexpr Count kLarge = 10'000'000;
  if (tokens < kSmall) return 1;
  return tokens < kLarge ? 3 : 5;
}

Count suggested_min_count(const Counts& counts) {
  return text::says_ids(counts.info().text_options) ? 1 : suggested_min_count(counts.info().tokens);
}

Counts read_counts(const Inputs& inputs, const CountOptions& options, const RunOptions& run) {
  validate(options);
  if (!base::Ranks(run).alone()) return read_on_ranks(inputs, options, run);
  const NamedInputs named = look_at(inputs, run);
  Counts counts = named.count_files.empty() ? counts::count_restricted(named.files, options, run)
                                            : from_count_files(named.count_files, options, run);
  require_words(counts, inputs, named);
  return counts;
}

}  // namespace firth
