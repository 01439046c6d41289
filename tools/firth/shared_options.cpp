#include "shared_options.hpp"

#include <limits>

namespace firth::cli {

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
      "text = words separated by white space; conllu = CoNLL-U; columns = a word per line with columns; jsonl = JSON lines; csv, tsv = records with a column of text; ids, u16, u32 = token ids as decimal or binary numbers; counts = a table of 'left right count'; auto = by the end of the name (.conllu, .jsonl, .csv, .tsv), CoNLL-U also by its content, else text. Files may be compressed with gzip, zstd or xz.");
  options.field_of_last("TextOptions::format");
  options.text("--column", "NAME|N", text.column,
               "The column to read: form, lemma, upos or xpos of CoNLL-U [form]; a number in columns [1]; a "
               "name in the first line, or a number, in csv and tsv [text].");
  options.field_of_last("TextOptions::column");
  options.text(
      "--field", "PATH", text.field,
      "The key of the text in JSON lines; dots lead into objects. A list of strings is read as words.");
  options.field_of_last("TextOptions::field");
  options.optional_number<std::uint32_t>("--sequence-end", "ID", text.sequence_end,
                                         {0, std::numeric_limits<std::uint32_t>::max()},
                                         "The token id that ends a sequence; it is no word.");
  options.field_of_last("TextOptions::sequence_end");
  options.text("--id-names", "FILE", text.id_names,
               "The names of token ids, id 0 in the first line; without it, words are the numbers.");
  options.field_of_last("TextOptions::id_names");
  options.flag_value("--lines", text.boundaries, Boundaries::lines,
                     "A line (in CoNLL-U and columns a sentence) is a sequence: no bigram crosses it.");
  options.flag_value("--stream", text.boundaries, Boundaries::stream,
                     "Treat each file as one sequence, as wcluster does.");
  options.field_of_last("TextOptions::boundaries");
  options.flag("--lowercase", text.lowercase, "Convert words to lower case (Unicode).");
  options.field_of_last("TextOptions::lowercase");
  options.flag("--tokenize", text.tokenize,
               "Split at Unicode word boundaries instead of white space; punctuation marks become words.");
  options.field_of_last("TextOptions::tokenize");
  options.choice(
      "--invalid-utf8", text.invalid_utf8, {{"error", InvalidUtf8::error}, {"replace", InvalidUtf8::replace}},
      "What to do with bytes that are not UTF-8: stop and say where, or put U+FFFD in their place.");
  options.field_of_last("TextOptions::invalid_utf8");
}

void declare_vocabulary_options(OptionTable& options, VocabularyOptions& vocabulary) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  options.group("Vocabulary");
  options.number<Count>("--min-count", "N", vocabulary.min_count, {1, kMost},
                        "Ignore words that occur fewer than N times.");
  options.field_of_last("VocabularyOptions::min_count");
  options.number<std::uint64_t>("--max-vocab", "N", vocabulary.max_vocab, {0, kMost},
                                "Keep the N most frequent of the words that may stay; 0 = all.");
  options.field_of_last("VocabularyOptions::max_vocab");
  options.text("--vocab", "FILE", vocabulary.vocab_file,
               "Keep only words that FILE lists, one per line; what follows a tab is ignored.");
  options.field_of_last("VocabularyOptions::vocab_file");
  options.choice(
      "--rare", vocabulary.rare,
      {{"unk", RarePolicy::unk}, {"break", RarePolicy::no_pairs}, {"drop", RarePolicy::drop}},
      "Excluded words: unk = replaced by <unk>; break = kept as gaps that no bigram crosses (as in wcluster); drop = deleted, so that their neighbours become adjacent.");
  options.field_of_last("VocabularyOptions::rare");
}

}  // namespace firth::cli
