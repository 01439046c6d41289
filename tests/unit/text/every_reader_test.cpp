// Every reader takes plain, gzip, zstd and xz files, CRLF line ends and a byte-order mark, and gets the same from
// all of them; and from memory, if it takes Inputs. structure.rules knows the public functions that must be named here or in
// every_text_reader_test.cpp.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "firth/brown.hpp"
#include "firth/class_lm.hpp"
#include "firth/constraints.hpp"
#include "firth/count.hpp"
#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "firth/features.hpp"
#include "firth/gold_tags.hpp"
#include "firth/lpcfg.hpp"
#include "firth/phrases.hpp"
#include "firth/prototypes.hpp"
#include "firth/report.hpp"
#include "firth/rescore.hpp"
#include "firth/tag_scores.hpp"
#include "firth/tagger.hpp"
#include "firth/treebank.hpp"
#include "support/reader_forms.hpp"

namespace firth {
namespace {

using testing::of_path;
using testing::Reader;
using testing::sample;
using testing::shown;
using testing::two_classes;

std::string counted(const Inputs& inputs, const TextOptions& text) {
  return shown(count_text(inputs, {.text = text}));
}

std::string shown(const std::vector<TaggedSentence>& sentences) {
  std::string text;
  for (const TaggedSentence& sentence : sentences) {
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
      text += fmt::format("{}/{}@{} ", sentence.words[i], sentence.tags[i], sentence.lines[i]);
    }
    text += '|';
  }
  return text;
}

std::string shown(const Clustering& clustering) {
  std::string text;
  for (WordId word = 0; word < clustering.vocabulary().size(); ++word) {
    text += fmt::format("{}:{}:{} ", clustering.vocabulary().word(word), clustering.vocabulary().count(word),
                        clustering.class_of(word));
  }
  return text;
}

constexpr const char* kConllu =
    "# c\n1\ta\tb\tNOUN\tN\t_\t0\t_\t_\t_\n2-3\tx\t_\t_\t_\t_\t_\t_\t_\t_\n2\tc\td\tVERB\tV\t_\t0\t_\t_\t_\n\n"
    "1\te\tf\tNOUN\tN\t_\t0\t_\t_\t_\n";

std::vector<Reader> text_readers() {
  const auto as = [](const TextOptions& text) {
    return [text](const Inputs& inputs) { return counted(inputs, text); };
  };
  return {{"text", "a b\nc a\n\n\xc3\xa4\n", as({})},
          {"stream", "a b\nc a\n", as({.boundaries = TextBoundaries::stream})},
          {"tokenized", "It's\xc2\xa0 so.\nA b\n", as({.lowercase = true, .tokenize = true})},
          {"conllu", kConllu, as({.format = InputFormat::conllu})},
          {"conllu_found", kConllu, as({.format = InputFormat::automatic})},
          {"columns", "a\tX\nb\tY\n\nc\tX\n", as({.format = InputFormat::columns, .column = "-1"})},
          {"columns_blanks", "a X\nb Y\n\nc X\n", as({.format = InputFormat::columns})},
          {"jsonl", "{\"text\": \"a b\\nc\"}\n\n{\"text\": [\"a\", \"b\"]}\n",
           as({.format = InputFormat::jsonl})},
          {"csv", "id,text\n1,\"a, b\"\n2,c\n", as({.format = InputFormat::csv})},
          {"tsv", "1\ta b\n2\tc\n", as({.format = InputFormat::tsv, .column = "2"})},
          {"ids", "1 2 3\n2 7\n", as({.format = InputFormat::ids, .sequence_end = 7})},
          {"u16", std::string("\1\0\2\0\1\0", 6), as({.format = InputFormat::ids16}), false},
          {"u32", std::string("\1\0\0\0\2\0\0\0", 8), as({.format = InputFormat::ids32}), false},
          {"count_table", "a b 3\nb c 2\n", as({.format = InputFormat::counts})}};
}

std::vector<Reader> list_readers() {
  return {of_path("vocabulary", "a\nb\t7\n",
                  [](const std::string& path) {
                    return shown(count_text(sample(), {.vocabulary = {.vocab_file = path}}));
                  }),
          of_path("id_names", "zero\none\t1\ntwo\n",
                  [](const std::string& path) {
                    const Inputs ids = Inputs::from_text("0 2 1\n");
                    return shown(count_text(ids, {.text = {.format = InputFormat::ids, .id_names = path}}));
                  }),
          {"order", "c\nb\n",
           [](const Inputs& list) {
             return fmt::format("{}",
                                fmt::join(load_word_order(list, count_text(sample(), {}).vocabulary()), " "));
           }},
          {"constraints", "together a b\n# c\n\napart a c\n",
           [](const Inputs& list) {
             std::string text;
             for (const Constraint& item : load_constraints(list).items) {
               text += fmt::format("{} {}|", fmt::join(item.words, " "), item.line);
             }
             return text;
           }},
          {"phrase_table", "a\tb\t3\t4\t5\t0.5\t1\nc\td\n",
           [](const Inputs& table) { return format_phrases(load_phrases(table)); }},
          {"names", "Ann\n\nNew York\n",
           [](const Inputs& list) { return fmt::format("{}", fmt::join(load_names(list).names, "|")); }},
          {"prototypes", "word\ttag\tclass\na\tX\t0\nb\t?\n", [](const Inputs& list) {
             std::string text;
             for (const Prototype& one : load_prototypes(list)) text += one.word + "/" + one.tag + "|";
             return text;
           }}};
}

std::vector<Reader> hypothesis_readers() {
  const auto lists = [](const Inputs& inputs) {
    std::string text;
    for (const NbestList& list : load_nbest(inputs)) {
      for (const NbestHypothesis& one : list.hypotheses)
        text += fmt::format("{}:{}:{}|", list.id, one.words, fmt::join(one.scores, ","));
    }
    return text;
  };
  return {{"nbest", "1 ||| a b ||| LM0= -2 -1\n2 ||| c ||| -1 -3\n", lists},
          {"nbest_tabs", "1\t-2\ta b\n1\t-3\tc\n", lists},
          {"references", "1 a b\n2 c\n",
           [](const Inputs& list) {
             std::string text;
             for (const auto& [id, words] : load_references(list)) text += id + ":" + words + "|";
             return text;
           }},
          {"new_words", "x a\n\ny\tb\t0.1\n", [](const Inputs& list) {
             std::string text;
             for (const LmNewWord& word : load_new_words(list))
               text += fmt::format("{} {} {}|", word.word, word.like, word.probability);
             return text;
           }}};
}

/// What a function that gives its output to a callback writes, whatever the line ends of its input.
template <typename Write>
std::string written(const Write& write) {
  std::string out;
  write([&](std::string_view text) { out += text; });
  std::erase(out, '\r');
  return out;
}

std::vector<Reader> tagged_readers() {
  const std::string columns = "a\tX\nb\tY\n\nc\tX\n";
  const auto tagged = [](const Inputs& inputs) { return shown(read_tagged(inputs, {})); };
  return {{"tagged_columns", columns, tagged},
          {"tagged_conllu", kConllu, tagged},
          {"gold_columns", columns,
           [](const Inputs& inputs) {
             const GoldText gold = read_tagged_text(inputs, {});
             return fmt::format("{} {} {}", gold.tokens(), fmt::join(gold.tag_of, " "),
                                fmt::join(gold.ends, " "));
           }},
          {"guesses", "a\tX\tX\nb\tY\tX\n",
           [](const Inputs& inputs) { return fmt::format("{}", score_tagged_file(inputs, {}).accuracy()); }},
          {"features", columns,
           [](const Inputs& inputs) {
             return written([&](const auto& put) { write_features(two_classes(), inputs, {}, put); });
           }},
          {"tagged_by_model", columns,
           [columns](const Inputs& inputs) {
             const Tagger tagger =
                 train_tagger(read_tagged(Inputs::from_text(columns), {}), {.passes = 1}, {});
             return written([&](const auto& put) { tag_files(tagger, inputs, {}, put); });
           }},
          {"sequences", columns, [](const Inputs& inputs) {
             return fmt::format("{}", train_lpcfg(inputs, {.sequences = true}).info().lexical_rules);
           }}};
}

std::vector<Reader> prototype_readers() {
  return {{"prototype_text", "a b\nc\n",
           [](const Inputs& inputs) {
             std::string text;
             for (const Prototype& one : choose_prototypes(two_classes(), inputs))
               text += fmt::format("{} {} {}|", one.word, one.tokens, fmt::join(one.contexts, ";"));
             return text;
           }},
          {"tagged_by_prototypes", "a b\nc\n", [](const Inputs& inputs) {
             const std::vector<Prototype> prototypes = {{.word = "a", .tag = "X"}, {.word = "b", .tag = "Y"}};
             std::string text;
             PrototypeTagger(two_classes(), prototypes).tag(inputs, {}, [&](auto words, auto tags) {
               text += fmt::format("{}/{}|", fmt::join(words, " "), fmt::join(tags, " "));
             });
             return text;
           }}};
}

std::string shown(const WordVectors& vectors) {
  return fmt::format("{} {} {}", vectors.vocabulary.size(), vectors.vocabulary.word(0),
                     fmt::join(vectors.numbers(), " "));
}

/// The words a and b with two numbers each, as a .npy file of float32 by rows.
std::string npy_matrix() {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";
  header.resize(117, ' ');
  const float numbers[] = {1, 2, 3, 4};
  return std::string("\x93NUMPY\1\0\x76\0", 10) + header + "\n" +
         std::string(reinterpret_cast<const char*>(numbers), sizeof(numbers));
}

std::vector<Reader> vector_readers() {
  const auto vectors = [](const std::string& path) { return shown(load_vectors(path)); };
  const float numbers[] = {1, 2, 3, 4};
  const std::string bytes(reinterpret_cast<const char*>(numbers), sizeof(numbers));
  return {of_path("word2vec", "2 2\na 1 2\nb 3 4\n", vectors),
          of_path("glove", "a 1 2\nb 3 4\n", vectors),
          of_path("fasttext", "2 2\na 1 2 \nb 3 4 \n", vectors),
          of_path("word2vec_binary", "2 2\na " + bytes.substr(0, 8) + "\nb " + bytes.substr(8) + "\n",
                  vectors, false),
          of_path(
              "npy_matrix", npy_matrix(),
              [](const std::string& path) {
                std::filesystem::copy_file(path, path + ".npy",
                                           std::filesystem::copy_options::overwrite_existing);
                std::ofstream(path + ".vocab") << "a\nb\n";
                return shown(load_vectors(path + ".npy"));
              },
              false),
          of_path("npy_words", "a\t7\nb\t2\n", [](const std::string& path) {
            std::filesystem::copy_file(path, path + ".vocab",
                                       std::filesystem::copy_options::overwrite_existing);
            std::ofstream(path + ".npy", std::ios::binary) << npy_matrix();
            const WordVectors loaded = load_vectors(path + ".vocab");
            return shown(loaded) + fmt::format(" {}", loaded.vocabulary.count(0));
          })};
}

std::vector<Reader> class_readers() {
  const auto classes = [](const std::string& path) { return shown(load_clustering(path)); };
  return {of_path("paths", "0\ta\t5\n10\tb\t3\n11\tc\t1\n", classes),
          of_path("classes", "a\t0\nb\t1\nc\t1\n", classes),
          of_path("mkcls", "a\t2\nb\t3\nc\t3\n",
                  [](const std::string& path) { return shown(load_clustering(path, ClusterFormat::mkcls)); }),
          of_path("merges", "a\tb\t1\na\tc\t0\n", classes),
          of_path("srilm", "C0 0.5 a\nC0 0.5 b\nC1 1 c\n", classes),
          of_path("clark", "a 0 5\nb 1 3\nc 1 1\n", classes),
          of_path("json",
                  "{\"format\": \"firth-clustering\", \"version\": 1,\n\"classes\": [{\"words\": [{\"word\": "
                  "\"a\"}]}]}\n",
                  classes),
          of_path("page", build_report(two_classes(), {}), classes)};
}

class EveryReader : public ::testing::TestWithParam<Reader> {};

TEST_P(EveryReader, TakesEveryForm) {
  testing::expect_every_form(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Files, EveryReader,
                         testing::each_of({text_readers(), list_readers(), hypothesis_readers(),
                                           tagged_readers(), prototype_readers(), class_readers(),
                                           vector_readers()}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace firth
