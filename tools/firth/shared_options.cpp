#include "shared_options.hpp"

#include <limits>

namespace firth::cli {

void declare_text_options(OptionTable& options, TextOptions& text) {
  options.group("Text");
  options.choice(
      "--format", text.format,
      {{"text", InputFormat::text}, {"conllu", InputFormat::conllu}, {"counts", InputFormat::counts}},
      "text = words between white space; conllu = CoNLL-U; counts = a table of 'left right count'. Files may "
      "be compressed with gzip, zstd or xz.");
  options.field_of_last("TextOptions::format");
  options.choice("--column", text.column,
                 {{"form", ConlluColumn::form},
                  {"lemma", ConlluColumn::lemma},
                  {"upos", ConlluColumn::upos},
                  {"xpos", ConlluColumn::xpos}},
                 "The column of CoNLL-U that is read as the word.");
  options.flag_value("--lines", text.boundaries, Boundaries::lines,
                     "A line (in CoNLL-U a sentence) is a sequence: no bigram crosses it.");
  options.flag_value("--stream", text.boundaries, Boundaries::stream,
                     "A file is one sequence, as wcluster reads it.");
  options.field_of_last("TextOptions::boundaries");
  options.flag("--lowercase", text.lowercase, "Turn words into lower case (Unicode).");
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
                        "Leave out words seen less often.");
  options.field_of_last("VocabularyOptions::min_count");
  options.number<std::uint64_t>("--max-vocab", "N", vocabulary.max_vocab, {0, kMost},
                                "Keep the N most frequent words; 0 = all.");
  options.field_of_last("VocabularyOptions::max_vocab");
  options.text("--vocab", "FILE", vocabulary.vocab_file, "Keep only the words in FILE, one a line.");
  options.field_of_last("VocabularyOptions::vocab_file");
  options.choice("--rare", vocabulary.rare,
                 {{"unk", RarePolicy::unk}, {"break", RarePolicy::no_pairs}, {"drop", RarePolicy::drop}},
                 "Words left out become one word <unk>, or keep their place but make no bigrams (break, as "
                 "in wcluster), "
                 "or vanish so that their neighbours touch (drop).");
  options.field_of_last("VocabularyOptions::rare");
}

}  // namespace firth::cli
