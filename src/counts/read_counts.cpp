#include "counts/count/counting.hpp"
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

}  // namespace

Counts read_counts(const Inputs& inputs, const CountOptions& options, const RunOptions& run) {
  validate(options);
  const std::vector<text::InputFile> files = text::expand_inputs(inputs, run.stop);
  std::vector<std::string> paths;
  for (const text::InputFile& file : files) {
    if (file.memory == nullptr && is_count_file(file.path)) paths.push_back(file.path);
  }
  if (!paths.empty() && paths.size() < files.size()) {
    throw UsageError("some inputs are count files and some are not",
                     "count the text first with count_text(), then name count files only");
  }
  Counts counts =
      paths.empty() ? counts::count_restricted(files, options, run) : from_count_files(paths, options, run);
  if (counts.vocabulary().empty()) {
    throw InputError({files.size() == 1 ? inputs.first_name() : ""}, "the input contains no words",
                     "name another file");
  }
  return counts;
}

}  // namespace firth
