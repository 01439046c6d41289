#include <fmt/format.h>

#include <bit>

#include "base/internals.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/lm_counts.hpp"
#include "lm/count_file.hpp"
#include "lm/model.hpp"
#include "lm/special_words.hpp"
#include "lm/text_ids.hpp"
#include "text/inputs.hpp"
#include "text/sentence_reader.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace lm {
namespace {

void check_key_bits(int order, std::size_t symbols) {
  if (order * std::bit_width(symbols - 1) <= kMaxKeyBits) return;
  throw UsageError(fmt::format("order {} with {} words is too much", order, symbols - kSpecialSymbols),
                   "lower LmCountOptions::order, or train on the text itself with fewer words",
                   "LmCountOptions::order");
}

/// The words in the order of the file, with their counts; special words of the text are <unk>.
CountFileHead head_of(std::span<const text::CountedWord> ranked, LmCountsInfo info, Count special) {
  std::vector<std::string> words = special_names();
  std::vector<Count> counts(kSpecialSymbols, 0);
  counts[kUnknownSymbol] = special;
  for (const text::CountedWord& word : ranked) {
    words.emplace_back(word.word);
    counts.push_back(word.count);
  }
  check_key_bits(info.order, words.size());
  return {std::move(info), Names(words), std::move(counts)};
}

CountFileHead count_words(const std::vector<text::InputFile>& files, const LmCountOptions& options,
                          const RunOptions& run) {
  text::SentenceReader reader(files, options.text, run);
  const std::vector<text::CountedWord> words = text::count_words(reader);
  LmCountsInfo info;
  info.order = options.order;
  info.boundaries = options.boundaries;
  info.text_options = text::describe(text::resolve_format(files, options.text));
  info.preprocessing = preprocessing_of(options.text);
  Count special = 0;
  std::vector<text::CountedWord> ranked;
  for (const std::uint32_t place : text::frequency_order(words)) {
    info.tokens += words[place].count;
    if (is_special(words[place].word)) {
      special += words[place].count;
    } else {
      ranked.push_back(words[place]);
    }
  }
  return head_of(ranked, std::move(info), special);
}

}  // namespace
}  // namespace lm

void validate(const LmCountOptions& options) {
  LmTrainOptions training;
  training.order = options.order;
  training.boundaries = options.boundaries;
  validate(training);
  validate(options.text);
}

LmCountsInfo count_ngrams(const std::string& path, const Inputs& inputs, const LmCountOptions& options,
                          const RunOptions& run) {
  validate(options);
  std::vector<text::InputFile> files = text::expand_inputs(inputs, run.stop);
  text::spool_unseekable(files, run.temp_folder);
  lm::CountFileHead head = lm::count_words(files, options, run);
  lm::NgramCounter counter({options.order, head.words.size(), options.boundaries}, run);
  lm::visit_sentences(
      {std::move(files), options.text}, head.words,
      [&](std::span<const WordId> words) {
        ++head.info.sentences;
        counter.add(words);
      },
      run);
  const base::Stage stage(run, "writing n-grams");
  return lm::write_count_file(path, std::move(head), counter, run);
}

LmCountsInfo merge_lm_counts(const std::string& path, const LmCounts& counts, const RunOptions& run) {
  const lm::CountFiles& all = base::internals(counts);
  Count special = 0;
  for (const lm::CountFile& file : all.files) special += file.counts[lm::kUnknownSymbol];
  lm::CountFileHead head = lm::head_of(all.ranked_words(), all.total, special);
  lm::NgramCounter counter({head.info.order, head.words.size(), head.info.boundaries}, run);
  const base::Stage stage(run, "merging n-grams");
  for (const lm::CountFile& file : all.files) {
    const std::vector<WordId> word_of = lm::words_of(file, head.words);
    std::vector<lm::Symbol> symbols;
    lm::for_each_ngram(
        file,
        [&](std::span<const lm::Symbol> ngram, Count count) {
          symbols.clear();
          for (const lm::Symbol symbol : ngram) symbols.push_back(word_of[symbol]);
          counter.add(symbols, count);
        },
        run);
  }
  return lm::write_count_file(path, std::move(head), counter, run);
}

}  // namespace firth
