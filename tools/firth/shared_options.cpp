#include "shared_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <firth/error.hpp>
#include <limits>
#include <stdexcept>

#include "progress_bar.hpp"

namespace firth::cli {

namespace {

void declare_word_form(OptionTable& options, Normalization& normalize, bool& lowercase) {
  options.choice(
      "--normalize", normalize,
      {{"none", Normalization::none}, {"nfc", Normalization::nfc}, {"nfkc", Normalization::nfkc}},
      "Unicode normal form of words: nfc = a letter and its accents become one character; nfkc = in addition, ligatures and wide letters become plain ones, soft hyphens and zero-width spaces are deleted, and any kind of space ends a word.");
  options.field_of_last("TextOptions::normalize");
  options.flag("--lowercase", lowercase, "Convert words to lower case (Unicode).");
  options.field_of_last("TextOptions::lowercase");
}

/// In a text with few words for its vocabulary, most classes are full of words that nothing is known about.
void say_rare_words(const Vocabulary& vocabulary, Session& session) {
  constexpr WordId kWorthSaying = 5000;
  constexpr Count kRare = 3;
  WordId rare = 0;
  for (WordId word = 0; word < vocabulary.size(); ++word) rare += vocabulary.count(word) < kRare ? 1 : 0;
  if (vocabulary.size() < kWorthSaying || rare < vocabulary.size() / 2) return;
  session.say(
      fmt::format("{} of {} different words occur only once or twice; to leave them out, add --min-count {}",
                  grouped(rare), grouped(vocabulary.size()), kRare));
}

}  // namespace

void declare_spelling(OptionTable& options, Preprocessing& words) {
  declare_word_form(options, words.normalize, words.lowercase);
}

void say_spelling(const Preprocessing& words, const std::string& model, Session& session) {
  std::string options;
  if (words.normalize == Normalization::nfc) options += " --normalize nfc";
  if (words.normalize == Normalization::nfkc) options += " --normalize nfkc";
  if (words.lowercase) options += " --lowercase";
  if (!options.empty()) session.say(fmt::format("words are read as those of {} were:{}", model, options));
}

void declare_checkpoint_options(OptionTable& options, CheckpointOptions& checkpoint) {
  options.text("--checkpoint", "FILE", checkpoint.file,
               "Keep the state of the run in FILE, so that a killed run can be continued.");
  options.writes_model();
  options.flag("--resume", checkpoint.resume,
               "Continue from the checkpoint, if there is one; the result is that of an uninterrupted run.");
}

void declare_text_options(OptionTable& options, TextOptions& text) {
  options.group("Text");
  text.format = InputFormat::automatic;
  options.choice(
      "--format", text.format,
      {{"auto", InputFormat::automatic},
       {"text", InputFormat::text},
       {"conllu", InputFormat::conllu},
       {"columns", InputFormat::columns},
       {"jsonl", InputFormat::jsonl},
       {"csv", InputFormat::csv},
       {"tsv", InputFormat::tsv},
       {"ids", InputFormat::ids},
       {"u16", InputFormat::ids16},
       {"u32", InputFormat::ids32},
       {"counts", InputFormat::counts}},
      "text = words separated by white space; conllu = CoNLL-U; columns = one word per line, with further columns; jsonl = JSON lines; csv, tsv = records with a column of text; ids, u16, u32 = token ids as decimal or binary numbers; counts = a table of 'left right count'; auto = detect by the end of the name (.conllu, .conll, .jsonl, .csv, .tsv); CoNLL-U, JSON lines and columns with entity tags also by their first lines; anything else is text. Files may be compressed with gzip, zstd or xz.");
  options.field_of_last("TextOptions::format");
  options.text(
      "--column", "NAME|N", text.column,
      "The column to read; in conllu: form, lemma, upos or xpos [form]; in columns: a number [1]; in csv and tsv: a name in the first line, or a number [text]; in jsonl: a key, as with --field.");
  options.field_of_last("TextOptions::column");
  options.text(
      "--field", "PATH", text.field,
      "In JSON lines, the key of the text; a dot goes into an object (document.body). A list of strings is read as words. In csv and tsv, the name of the column.");
  options.field_of_last("TextOptions::field");
  options.optional_number<std::uint32_t>("--sequence-end", "ID", text.sequence_end,
                                         {0, std::numeric_limits<std::uint32_t>::max()},
                                         "The token id that ends a sequence; it is not a word itself.");
  options.field_of_last("TextOptions::sequence_end");
  options.text("--id-names", "FILE", text.id_names,
               "The names of token ids, id 0 in the first line; without it, words are the numbers.");
  options.field_of_last("TextOptions::id_names");
  options.flag_value(
      "--lines", text.boundaries, TextBoundaries::lines,
      "Each line (each sentence, in CoNLL-U and columns) is a sequence: no bigram crosses it.");
  options.flag_value("--stream", text.boundaries, TextBoundaries::stream,
                     "Treat each file as one sequence, as wcluster does.");
  options.field_of_last("TextOptions::boundaries");
  declare_word_form(options, text.normalize, text.lowercase);
  options.flag("--tokenize", text.tokenize,
               "Split at Unicode word boundaries instead of white space; punctuation marks become words.");
  options.field_of_last("TextOptions::tokenize");
  options.flag(
      "--squeeze", text.squeeze,
      "Leave out repetitions of the word before: 'a a b a' is read as 'a b a' (for units of speech).");
  options.field_of_last("TextOptions::squeeze");
  options.choice(
      "--invalid-utf8", text.invalid_utf8, {{"error", InvalidUtf8::error}, {"replace", InvalidUtf8::replace}},
      "What to do with NUL bytes and bytes that are not UTF-8: stop and say where, or put U+FFFD in their place.");
  options.field_of_last("TextOptions::invalid_utf8");
}

void declare_vocabulary_options(OptionTable& options, VocabularyOptions& vocabulary, MinCount* min_count) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  options.group("Vocabulary");
  if (min_count != nullptr) {
    options.number_or<Count>(
        "--min-count", "N", min_count->given, {1, kMax}, {"auto", 0},
        "Ignore words that occur fewer than N times; auto = 3 for texts of half a million words and more, 5 from ten million on, otherwise 1 (always 1 for token ids and with --method pos and svd2).");
    options.show_default("auto");
  } else {
    options.number<Count>("--min-count", "N", vocabulary.min_count, {1, kMax},
                          "Ignore words that occur fewer than N times.");
  }
  options.field_of_last("VocabularyOptions::min_count");
  options.number<std::uint64_t>(
      "--max-vocab", "N", vocabulary.max_vocab, {0, kMax},
      "Keep the N most frequent of the words that the other options leave; 0 = all.");
  options.field_of_last("VocabularyOptions::max_vocab");
  options.text(
      "--vocab", "FILE", vocabulary.vocab_file,
      "Keep only words that FILE lists: the first field of each line, or the second in a vocabulary of GIZA++.");
  options.field_of_last("VocabularyOptions::vocab_file");
  options.choice(
      "--rare", vocabulary.rare,
      {{"unk", RarePolicy::unk}, {"break", RarePolicy::no_pairs}, {"drop", RarePolicy::drop}},
      "Excluded words: unk = replaced by <unk>; break = kept as gaps that no bigram crosses (as in wcluster); drop = deleted, so that their neighbours become adjacent.");
  options.field_of_last("VocabularyOptions::rare");
}

Counts read_counts(const Inputs& inputs, CountOptions& options, const MinCount& min_count, Session& session) {
  VocabularyOptions& vocabulary = options.vocabulary;
  if (min_count.given > 0) vocabulary.min_count = min_count.given;
  Counts counts = read_counts(inputs, options, session.run());
  if (counts.vocabulary().size() == 1 && vocabulary.restricts() && counts.vocabulary().word(0) == "<unk>") {
    if (vocabulary.vocab_file.empty() && vocabulary.min_count > 1)
      throw InputError({inputs.first_name()},
                       fmt::format("no word occurs {} times", grouped(vocabulary.min_count)),
                       "give a smaller --min-count");
    throw InputError({inputs.first_name()}, "the options of the vocabulary leave no words",
                     "give a smaller --min-count or another --vocab");
  }
  const bool chosen = min_count.given > 0 || vocabulary.restricts() || vocabulary.rare == RarePolicy::drop;
  const Count suggested = suggested_min_count(counts);
  if (chosen || counts.info().restricted) return counts;
  if (suggested == 1) {
    say_rare_words(counts.vocabulary(), session);
    return counts;
  }
  vocabulary.min_count = suggested;
  Counts fewer = restrict_vocabulary(counts, vocabulary, session.run());
  const auto all = static_cast<WordId>(counts.vocabulary().size());
  WordId kept = 0;
  for (WordId word = 0; word < all; ++word) kept += counts.vocabulary().count(word) >= suggested ? 1 : 0;
  if (kept < all) {
    session.say(fmt::format(
        "--min-count {} for a text of {} words: {} of {} different words stay ('--min-count 1' keeps all)",
        suggested, grouped(counts.info().tokens), grouped(kept), grouped(all)));
  }
  return fewer;
}

std::vector<double> decimal_list(const std::string& option, const std::string& value) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    const std::string item = value.substr(begin, end - begin);
    try {
      std::size_t used = 0;
      numbers.push_back(std::stod(item, &used));
      if (used != item.size()) throw std::invalid_argument(item);
    } catch (const std::logic_error&) {
      throw UsageError(fmt::format("{}: '{}' is not a number", option, item), "write e.g. 0.7,0.3");
    }
    begin = end + 1;
  }
  return numbers;
}

}  // namespace firth::cli
