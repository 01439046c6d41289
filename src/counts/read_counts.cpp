#include <algorithm>

#include "counts/count/counting.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

bool is_default(const TextOptions& options) {
  return counts::describe(options) == counts::describe(TextOptions{});
}

Counts from_count_files(std::span<const std::string> inputs, const CountOptions& options,
                        const RunOptions& run) {
  const Counts counts = inputs.size() == 1 ? load_counts(inputs.front()) : merge_counts(inputs, run);
  if (!is_default(options.text) && counts::describe(options.text) != counts.info().text_options) {
    throw UsageError(
        inputs.front() + " was made with other text options (" + counts.info().text_options + ")",
        "count the text again, or leave these options out");
  }
  for (const int distance : options.distances) (void)counts.pairs_at(distance);
  return restrict_vocabulary(counts, options.vocabulary, run);
}

}  // namespace

Counts read_counts(std::span<const std::string> inputs, const CountOptions& options, const RunOptions& run) {
  validate(options);
  std::vector<std::string> paths;
  for (const text::InputFile& file : text::expand_inputs(inputs)) paths.push_back(file.path);
  const auto count_files = std::count_if(paths.begin(), paths.end(), is_count_file);
  if (count_files > 0 && static_cast<std::size_t>(count_files) < paths.size()) {
    throw UsageError("some inputs are count files and some are not",
                     "count the text first with count_text(), then name count files only");
  }
  Counts counts = count_files > 0 ? from_count_files(paths, options, run) : count_text(inputs, options, run);
  if (counts.vocabulary().empty()) {
    throw InputError({inputs.size() == 1 ? inputs.front() : ""}, "there are no words in the input",
                     "name another file");
  }
  return counts;
}

}  // namespace firth
