#include <fmt/format.h>

#include "base/internals.hpp"
#include "base/rank_error.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/lm_counts.hpp"
#include "lm/count_file.hpp"
#include "lm/count_on_ranks.hpp"
#include "lm/model.hpp"
#include "lm/special_words.hpp"
#include "lm/text_ids.hpp"
#include "text/inputs.hpp"
#include "text/sentence_reader.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace lm {
namespace {

CountFileHead count_words(const std::vector<text::InputFile>& files, const LmCountOptions& options,
                          const RunOptions& run) {
  text::SentenceReader reader(files, options.text, run);
  const std::vector<text::CountedWord> words = text::count_words(reader);
  LmCountsInfo info = describe(options, text::resolve_format(files, options.text));
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
  return make_head(ranked, std::move(info), special);
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
  const base::Ranks ranks(run);
  std::vector<text::InputFile> files;
  base::together(ranks, [&] {
    if (!ranks.is_root()) return;
    files = text::expand_inputs(inputs, run.stop);
    text::spool_unseekable(files, run.temp_folder);
  });
  if (!ranks.alone()) return lm::count_on_ranks(path, files, options, run);
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
  const lm::EncodedNgrams encoded = lm::encode(counter, options.order, {}, run);
  return lm::write_count_file(path, std::move(head), encoded);
}

LmCountsInfo merge_lm_counts(const std::string& path, const LmCounts& counts, const RunOptions& run) {
  const lm::CountFiles& all = base::internals(counts);
  Count special = 0;
  for (const lm::CountFile& file : all.files) special += file.counts[lm::kUnknownSymbol];
  lm::CountFileHead head = lm::make_head(all.ranked_words(), all.total, special);
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
  const lm::EncodedNgrams encoded = lm::encode(counter, head.info.order, {}, run);
  return lm::write_count_file(path, std::move(head), encoded);
}

}  // namespace firth
