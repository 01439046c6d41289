#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "counts/count/counting.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/phrases.hpp"
#include "phrases/joiner.hpp"
#include "phrases/scores.hpp"
#include "text/characters.hpp"
#include "text/inputs.hpp"
#include "text/text_file.hpp"

namespace firth {
namespace phrases {
namespace {

constexpr double kNpmiThreshold = 0.5;
constexpr double kRatioThreshold = 100;
constexpr std::uint32_t kMaxWords = 16;

double threshold_of(const PhraseOptions& options) {
  if (options.threshold) return *options.threshold;
  return options.score == PhraseScore::npmi ? kNpmiThreshold : kRatioThreshold;
}

/// The text with the phrases found so far joined, as tokens to count.
Inputs joined_tokens(const std::vector<text::InputFile>& files, const TextOptions& text,
                     const UnitTable& units, const RunOptions& run) {
  RunOptions silent = run;
  silent.progress = nullptr;  // counting reports
  const auto reader = std::make_shared<JoinedReader>(files, text, units, silent);
  return Inputs::from_tokens(
      [reader, views = std::vector<std::string_view>()](std::vector<std::string>& sequence) mutable {
        if (!reader->next(views)) return false;
        sequence.assign(views.begin(), views.end());
        return true;
      });
}

Counts count_units(const std::vector<text::InputFile>& files, const TextOptions& text, const UnitTable& units,
                   const RunOptions& run) {
  CountOptions options;
  if (!units.empty()) return count_text(joined_tokens(files, text, units, run), options, run);
  options.text = text;
  validate(options);
  return counts::count_files(files, options, counts::CountTuning::for_run(run, 1), run);
}

/// Pairs of these counts that are phrases and not known yet.
std::vector<Phrase> find_pairs(const Counts& counts, const PhraseOptions& options, const UnitTable& units) {
  const Vocabulary& vocabulary = counts.vocabulary();
  const PairCounts& bigrams = counts.bigrams();
  const std::vector<Count> left = bigrams.left_marginals();
  const std::vector<Count> right = bigrams.right_marginals();
  const double threshold = threshold_of(options);
  std::vector<Phrase> found;
  bigrams.for_each_pair([&](WordId a, WordId b, Count count) {
    if (count < options.min_count) return;
    const PairTable pair{count, left[a], right[b], bigrams.total()};
    const double score = options.score == PhraseScore::npmi ? npmi(pair) : likelihood_ratio(pair);
    if (!(score >= threshold)) return;
    if (units.length(vocabulary.word(a)) + units.length(vocabulary.word(b)) > options.max_words) return;
    found.push_back(
        {std::string(vocabulary.word(a)), std::string(vocabulary.word(b)), count, left[a], right[b], score});
  });
  std::sort(found.begin(), found.end(), [](const Phrase& a, const Phrase& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.left != b.left ? a.left < b.left : a.right < b.right;
  });
  return found;
}

std::uint64_t write_joined(const std::string& output, std::vector<text::InputFile> files,
                           const TextOptions& text, const UnitTable& units, const RunOptions& run) {
  text::TextFile file(output);
  JoinedReader reader(std::move(files), text, units, run);
  std::vector<std::string_view> sentence;
  std::string line;
  while (reader.next(sentence)) {
    line.clear();
    for (const std::string_view word : sentence) {
      if (!line.empty()) line += ' ';
      line += word;
    }
    line += '\n';
    file.write(line);
  }
  file.commit();
  return reader.joins();
}

/// What can be read only once is kept on disk if `read_again`.
std::vector<text::InputFile> open_text(const Inputs& inputs, const TextOptions& text, bool read_again,
                                       const RunOptions& run) {
  if (text.format == InputFormat::counts)
    throw UsageError("counts cannot be rewritten", "give the text itself", "TextOptions::format");
  std::vector<text::InputFile> files = text::expand_inputs(inputs, run.stop);
  if (read_again) text::spool_unseekable(files, run.temp_folder);
  return files;
}

/// Phrases of all rounds, which `units` joins afterwards. Every round makes longer units, so there are at most
/// max_words - 1 of them.
Phrases search(const std::vector<text::InputFile>& files, const PhraseOptions& options,
               const TextOptions& text, UnitTable& units, const RunOptions& run) {
  Phrases result{{}, options.joiner};
  for (std::uint32_t round = 1; round < options.max_words; ++round) {
    std::vector<Phrase> found = find_pairs(count_units(files, text, units, run), options, units);
    if (found.empty()) break;
    for (Phrase& phrase : found) {
      phrase.round = round;
      units.add(phrase);
    }
    result.list.insert(result.list.end(), found.begin(), found.end());
  }
  return result;
}

}  // namespace
}  // namespace phrases

void validate(const PhraseOptions& options) {
  if (options.min_count < 1)
    throw UsageError("phrases seen 0 times", "1 takes every pair", "PhraseOptions::min_count");
  if (options.max_words < 2 || options.max_words > phrases::kMaxWords) {
    throw UsageError(fmt::format("phrases of up to {} words", options.max_words), "take from 2 to 16",
                     "PhraseOptions::max_words");
  }
  if (options.threshold && !std::isfinite(*options.threshold))
    throw UsageError("the smallest score is not a number", "give a number", "PhraseOptions::threshold");
  const std::string& joiner = options.joiner;
  if (joiner.empty() || std::any_of(joiner.begin(), joiner.end(), text::is_space)) {
    throw UsageError("words are joined by white space or nothing", "take a character such as _",
                     "PhraseOptions::joiner");
  }
}

Phrases find_phrases(const Inputs& inputs, const PhraseOptions& options, const TextOptions& text,
                     const RunOptions& run) {
  validate(options);
  phrases::UnitTable units(options.joiner);
  return phrases::search(phrases::open_text(inputs, text, options.max_words > 2, run), options, text, units,
                         run);
}

Phrases find_and_join_phrases(const std::string& output, const Inputs& inputs, const PhraseOptions& options,
                              const TextOptions& text, const RunOptions& run) {
  validate(options);
  const std::vector<text::InputFile> files = phrases::open_text(inputs, text, true, run);
  phrases::UnitTable units(options.joiner);
  Phrases found = phrases::search(files, options, text, units, run);
  static_cast<void>(phrases::write_joined(output, files, text, units, run));
  return found;
}

std::uint64_t join_phrases(const std::string& output, const Inputs& inputs, const Phrases& phrases,
                           const TextOptions& text, const RunOptions& run) {
  phrases::UnitTable units(phrases.joiner);
  for (const Phrase& phrase : phrases.list) units.add(phrase);
  return phrases::write_joined(output, text::expand_inputs(inputs, run.stop), text, units, run);
}

}  // namespace firth
