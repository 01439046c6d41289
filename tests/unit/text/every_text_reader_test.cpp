// Every reader of text and trees takes every form of a file, and the same from memory. structure.rules knows the public functions that must
// be named here or in every_reader_test.cpp.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include "firth/class_lm.hpp"
#include "firth/count.hpp"
#include "firth/hmm.hpp"
#include "firth/lm_counts.hpp"
#include "firth/lm_recipe.hpp"
#include "firth/lpcfg.hpp"
#include "firth/parser.hpp"
#include "firth/parseval.hpp"
#include "firth/phrases.hpp"
#include "firth/report.hpp"
#include "firth/treebank.hpp"
#include "support/reader_forms.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using testing::of_path;
using testing::Reader;
using testing::sample;
using testing::shown;
using testing::two_classes;

std::string trees_of(const Inputs& inputs, const ParseOptions& options) {
  const Parser parser(train_lpcfg(Inputs::from_text("(S (A a) (B b))\n(S (A c))\n"), {}), options);
  std::string text;
  parse_text(parser, inputs, [&](const ParseResult& result) { text += format_tree(result.tree) + "|"; });
  return text;
}

std::vector<Reader> tree_readers() {
  const std::string brackets = "(S (A a) (B b))\n(S (A c))\n";
  return {
      {"brackets", brackets,
       [](const Inputs& inputs) {
         std::string text;
         TreeReader reader(inputs, TreeLayout::free);
         for (Tree tree; reader.next(tree);) text += format_tree(tree) + "|";
         return text;
       }},
      {"treebank", brackets,
       [](const Inputs& inputs) {
         const std::vector<LpcfgTrainOptions> one(1);
         return train_grammars(inputs, one).front().to_bytes();
       }},
      {"parse", "a b\nc\n", [](const Inputs& inputs) { return trees_of(inputs, {}); }},
      {"parse_trees", brackets, [](const Inputs& inputs) { return trees_of(inputs, {.from_trees = true}); }},
      {"gold_trees", brackets,
       [brackets](const Inputs& inputs) {
         return fmt::format("{}", score_parses(inputs, Inputs::from_text(brackets)).all.matched);
       }},
      {"guessed_trees", brackets, [brackets](const Inputs& inputs) {
         return fmt::format("{}", score_parses(Inputs::from_text(brackets), inputs).all.matched);
       }}};
}

std::string bytes_written(const std::function<void(const std::string& path)>& write) {
  const testing::TempFolder folder;
  write(folder.file("out"));
  return testing::read_file(folder.file("out"));
}

std::string many_sentences() {
  std::string text;
  for (int i = 0; i < 220; ++i) text += fmt::format("a{} b{} a{}\n", i % 3, i % 5, i % 2);
  return text;
}

/// A model of single symbols: `lines` and the special ones.
std::string arpa_of(const std::string& lines, int symbols) {
  return fmt::format(
      "\\data\\\nngram 1={}\n\n\\1-grams:\n-0.6020600\t<unk>\n-99\t<s>\n-0.6020600\t</s>\n{}\n\\end\\\n",
      symbols, lines);
}

std::vector<Reader> lm_readers() {
  const std::string text = "a b\n\nc\n";
  return {{"word_lm", text,
           [](const Inputs& inputs) { return train_word_lm(inputs, VocabularyOptions{}, {}).to_bytes(); }},
          {"class_lm", text,
           [](const Inputs& inputs) { return train_class_lm(inputs, two_classes(), {}).to_bytes(); }},
          {"ngrams", text,
           [](const Inputs& inputs) {
             return bytes_written([&](const std::string& path) { (void)count_ngrams(path, inputs, {}); });
           }},
          {"lm_score", text,
           [](const Inputs& inputs) {
             return shown(score_text(train_word_lm(sample(), VocabularyOptions{}, {}), inputs));
           }},
          {"lm_weights", text,
           [](const Inputs& inputs) {
             const std::vector<LanguageModel> models = {train_word_lm(sample(), VocabularyOptions{}, {}),
                                                        train_class_lm(sample(), two_classes(), {})};
             return fmt::format("{}", fmt::join(tune_weights(models, inputs, {}).weights, " "));
           }},
          {"mapped_text", text,
           [](const Inputs& inputs) {
             const LanguageModel model = train_class_lm(sample(), two_classes(), {});
             return bytes_written([&](const std::string& path) { map_text(path, inputs, model, {}); });
           }},
          {"best_lm", many_sentences(),
           [](const Inputs& inputs) { return train_best_lm(inputs, {.max_order = 3}).model.to_bytes(); }},
          of_path("arpa", arpa_of("-0.3010300\ta\n", 4),
                  [](const std::string& path) { return shown(score_text(load_lm(path), sample())); }),
          of_path("lm_classes", "C0 0.5 a\nC0 0.5 b\nC1 1 c\n", [](const std::string& path) {
            const testing::TempFolder folder;
            const std::string arpa = folder.write("arpa", arpa_of("-0.6020600\tC0\n-0.6020600\tC1\n", 5));
            return shown(score_text(load_lm(arpa, path), sample()));
          })};
}

std::vector<Reader> other_text_readers() {
  const std::string text = "a b\nc a b\n";
  return {{"counts_or_text", text, [](const Inputs& inputs) { return shown(read_counts(inputs, {})); }},
          {"hmm", text,
           [](const Inputs& inputs) {
             return train_hmm(inputs, {.states = 2, .iterations = 2}).model.to_bytes();
           }},
          {"hmm_likelihood", text,
           [](const Inputs& inputs) {
             const HmmModel model = train_hmm(sample(), {.states = 2, .iterations = 2}).model;
             return fmt::format("{:.12g}", hmm_log_likelihood(model, inputs, {}));
           }},
          {"hmm_states", text,
           [](const Inputs& inputs) {
             const HmmModel model = train_hmm(sample(), {.states = 2, .iterations = 2}).model;
             std::string out;
             decode_text(model, inputs, {}, [&](auto words, auto states) {
               out += fmt::format("{} {}|", fmt::join(words, " "), fmt::join(states, " "));
             });
             return out;
           }},
          {"phrases", text,
           [](const Inputs& inputs) {
             return format_phrases(find_phrases(inputs, {.threshold = -1, .min_count = 1}, {}));
           }},
          {"joined_anew", text,
           [](const Inputs& inputs) {
             return bytes_written([&](const std::string& path) {
               (void)find_and_join_phrases(path, inputs, {.threshold = -1, .min_count = 2}, {});
             });
           }},
          {"joined", text,
           [](const Inputs& inputs) {
             const Phrases phrases = load_phrases(Inputs::from_text("a\tb\n"));
             return bytes_written(
                 [&](const std::string& path) { (void)join_phrases(path, inputs, phrases, {}); });
           }},
          {"concordance", text, [](const Inputs& inputs) {
             std::string out;
             for (const ConcordanceLine& line : concordance(two_classes(), inputs, {}, {}))
               out += fmt::format("{} {} {}|", line.before, line.word, line.after);
             return out;
           }}};
}

class EveryTextReader : public ::testing::TestWithParam<Reader> {};

TEST_P(EveryTextReader, TakesEveryForm) {
  testing::expect_every_form(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Files, EveryTextReader,
                         testing::each_of({tree_readers(), lm_readers(), other_text_readers()}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace firth
