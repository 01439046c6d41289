#include "lm/count_on_ranks.hpp"

#include <array>
#include <utility>

#include "base/rank_error.hpp"
#include "base/stage.hpp"
#include "counts/ranks/input_pieces.hpp"
#include "counts/ranks/word_owners.hpp"
#include "lm/count_file.hpp"
#include "lm/ngram_exchange.hpp"
#include "lm/special_words.hpp"
#include "lm/text_ids.hpp"
#include "text/sentence_reader.hpp"

namespace firth::lm {
namespace {

/// What this rank reads.
struct OwnText {
  std::vector<text::InputFile> files;
  TextOptions options;
};

/// Files are cut where every line is a sentence of its own.
OwnText deal(const std::vector<text::InputFile>& files, const TextOptions& given, const base::Ranks& ranks,
             const RunOptions& run) {
  OwnText own{{}, given};
  (void)counts::agree_on_format(files, own.options, ranks, run);
  const bool lines = (own.options.format == InputFormat::text || own.options.format == InputFormat::jsonl) &&
                     own.options.boundaries == TextBoundaries::lines;
  own.files = counts::deal_inputs(files, lines ? text::CutAt::line : text::CutAt::record, ranks, run.stop);
  return own;
}

/// The words of this rank's text.
struct OwnWords {
  Vocabulary words;  ///< without the special ones
  Count tokens = 0;
  Count special = 0;
};

OwnWords count_own_words(const OwnText& own, const RunOptions& run) {
  text::SentenceReader reader(own.files, own.options, run);
  OwnWords result;
  std::vector<std::pair<std::string, Count>> words;
  for (const text::CountedWord& word : text::count_words(reader)) {
    result.tokens += word.count;
    if (is_special(word.word)) {
      result.special += word.count;
    } else {
      words.emplace_back(word.word, word.count);
    }
  }
  result.words = Vocabulary::from_words(std::move(words));
  return result;
}

std::vector<text::CountedWord> in_order(const Vocabulary& words) {
  std::vector<text::CountedWord> ranked;
  for (WordId id = 0; id < words.size(); ++id) ranked.push_back({words.word(id), words.count(id)});
  return ranked;
}

/// Counts the n-grams of this rank's text as symbols of the whole text; the result is the number of sentences.
std::uint64_t count_own(const OwnText& own, const OwnWords& words, std::span<const WordId> new_ids,
                        NgramCounter& counter, const RunOptions& run) {
  std::vector<std::string> names = special_names();
  std::vector<Symbol> symbol_of = {kUnknownSymbol, kBeginSymbol, kEndSymbol};
  for (WordId id = 0; id < words.words.size(); ++id) {
    names.emplace_back(words.words.word(id));
    symbol_of.push_back(new_ids[id] + static_cast<Symbol>(kSpecialSymbols));
  }
  std::uint64_t sentences = 0;
  std::vector<Symbol> symbols;
  visit_sentences(
      {own.files, own.options}, Names(names),
      [&](std::span<const WordId> sentence) {
        ++sentences;
        symbols.clear();
        for (const WordId word : sentence) symbols.push_back(symbol_of[word]);
        counter.add(symbols);
      },
      run);
  return sentences;
}

}  // namespace

LmCountsInfo count_on_ranks(const std::string& path, const std::vector<text::InputFile>& files,
                            const LmCountOptions& options, const RunOptions& run) {
  const base::Ranks ranks(run);
  RunOptions alone = run;
  alone.world = nullptr;
  const OwnText own = deal(files, options.text, ranks, alone);
  const auto read = [&](const auto& work) {
    base::together(ranks, [&] {
      try {
        work();
      } catch (const InputError& error) {
        counts::throw_with_line(error, own.files);
      }
    });
  };
  OwnWords words;
  read([&] { words = count_own_words(own, alone); });
  const counts::GlobalWords all = counts::join_words(in_order(words.words), ranks);
  const NgramCountOptions counting{options.order, all.size + kSpecialSymbols, options.boundaries};
  std::unique_ptr<NgramCounter> counter;
  std::array<std::uint64_t, 3> sums = {words.tokens, words.special, 0};
  read([&] {
    check_key_bits(counting.order, counting.symbols);
    counter = std::make_unique<NgramCounter>(counting, alone);
    sums[2] = count_own(own, words, all.new_ids, *counter, alone);
  });
  ranks.add(sums);
  const base::Stage stage(alone, "joining n-grams");
  const EncodedNgrams encoded = join_ngrams(std::move(counter), counting, ranks, alone);
  LmCountsInfo info = describe(options, own.options);
  info.tokens = sums[0];
  info.sentences = sums[2];
  info.words = all.size;
  info.ngrams = encoded.ngrams;
  base::together(ranks, [&] {
    if (!ranks.is_root()) return;
    write_count_file(path, make_head(in_order(all.vocabulary), info, sums[1]), encoded);
  });
  return info;
}

}  // namespace firth::lm
