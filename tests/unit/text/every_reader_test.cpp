// Every reader takes plain, gzip, zstd and xz files, CRLF line ends and a byte-order mark, and gets the same from
// all of them.
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
#include "firth/hmm.hpp"
#include "firth/lpcfg.hpp"
#include "firth/parser.hpp"
#include "firth/parseval.hpp"
#include "firth/tag_scores.hpp"
#include "firth/tagger.hpp"
#include "firth/treebank.hpp"
#include "support/packers.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

std::string shown(const Counts& counts) {
  std::string text;
  for (WordId word = 0; word < counts.vocabulary().size(); ++word) {
    text += fmt::format("{}:{} ", counts.vocabulary().word(word), counts.vocabulary().count(word));
  }
  return text + fmt::format("{} pairs, {} sequences", counts.bigrams().total(), counts.info().sequences);
}

std::string counted(const std::string& path, const TextOptions& text) {
  return shown(count_text(path, {.text = text}));
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

std::string shown(const LmScore& score) {
  return fmt::format("{} words {} unknown {:.12g}", score.words, score.unknown, score.log10_known);
}

const Inputs& sample() {
  static const Inputs text = Inputs::from_text("a b a\nc b\n");
  return text;
}

// A kind of file, what is in it, and what its reader makes of it.
struct Reader {
  const char* name;
  std::string content;
  std::function<std::string(const std::string& path)> read;
  bool is_text = true;
};

constexpr const char* kConllu =
    "# c\n1\ta\tb\tNOUN\tN\t_\t0\t_\t_\t_\n2-3\tx\t_\t_\t_\t_\t_\t_\t_\t_\n2\tc\td\tVERB\tV\t_\t0\t_\t_\t_\n\n"
    "1\te\tf\tNOUN\tN\t_\t0\t_\t_\t_\n";

std::vector<Reader> text_readers() {
  const auto as = [](const TextOptions& text) {
    return [text](const std::string& path) { return counted(path, text); };
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
  return {{"vocabulary", "a\nb\t7\n",
           [](const std::string& path) {
             return shown(count_text(sample(), {.vocabulary = {.vocab_file = path}}));
           }},
          {"id_names", "zero\none\t1\ntwo\n",
           [](const std::string& path) {
             const Inputs ids = Inputs::from_text("0 2 1\n");
             return shown(count_text(ids, {.text = {.format = InputFormat::ids, .id_names = path}}));
           }},
          {"order", "c\nb\n",
           [](const std::string& path) {
             return fmt::format("{}",
                                fmt::join(load_word_order(path, count_text(sample(), {}).vocabulary()), " "));
           }},
          {"constraints", "together a b\n# c\n\napart a c\n", [](const std::string& path) {
             std::string text;
             for (const Constraint& item : load_constraints(path).items) {
               text += fmt::format("{} {}|", fmt::join(item.words, " "), item.line);
             }
             return text;
           }}};
}

std::vector<Reader> tagged_readers() {
  const std::string columns = "a\tX\nb\tY\n\nc\tX\n";
  const auto tagged = [](const std::string& path) { return shown(read_tagged(path, {})); };
  return {{"tagged_columns", columns, tagged},
          {"tagged_conllu", kConllu, tagged},
          {"gold_columns", columns,
           [](const std::string& path) {
             const GoldText gold = read_tagged_text(path, {});
             return fmt::format("{} {} {}", gold.tokens(), fmt::join(gold.tag_of, " "),
                                fmt::join(gold.ends, " "));
           }},
          {"guesses", "a\tX\tX\nb\tY\tX\n",
           [](const std::string& path) { return fmt::format("{}", score_tagged_file(path, {}).accuracy()); }},
          {"features", columns,
           [](const std::string& path) {
             std::string out;
             const Clustering classes = parse_clustering("0\ta\t1\n1\tb\t1\n", "classes");
             write_features(classes, path, {}, [&](std::string_view text) { out += text; });
             std::erase(out, '\r');
             return out;
           }},
          {"sequences", columns, [](const std::string& path) {
             return fmt::format("{}", train_lpcfg(path, {.sequences = true}).info().lexical_rules);
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
  return {
      {"word2vec", "2 2\na 1 2\nb 3 4\n", vectors},
      {"glove", "a 1 2\nb 3 4\n", vectors},
      {"word2vec_binary", "2 2\na " + bytes.substr(0, 8) + "\nb " + bytes.substr(8) + "\n", vectors, false},
      {"npy_matrix", npy_matrix(),
       [](const std::string& path) {
         std::filesystem::copy_file(path, path + ".npy", std::filesystem::copy_options::overwrite_existing);
         std::ofstream(path + ".vocab") << "a\nb\n";
         return shown(load_vectors(path + ".npy"));
       },
       false},
      {"npy_words", "a\t7\nb\t2\n", [](const std::string& path) {
         std::filesystem::copy_file(path, path + ".vocab", std::filesystem::copy_options::overwrite_existing);
         std::ofstream(path + ".npy", std::ios::binary) << npy_matrix();
         const WordVectors loaded = load_vectors(path + ".vocab");
         return shown(loaded) + fmt::format(" {}", loaded.vocabulary.count(0));
       }}};
}

std::vector<Reader> model_readers() {
  const std::string brackets = "(S (A a) (B b))\n(S (A c))\n";
  return {{"brackets", brackets,
           [](const std::string& path) {
             std::string text;
             TreeReader reader(path, TreeLayout::free);
             for (Tree tree; reader.next(tree);) text += format_tree(tree) + "|";
             return text;
           }},
          {"word_lm", "a b\nc\n",
           [](const std::string& path) {
             const LanguageModel model = train_word_lm(path, VocabularyOptions{}, {});
             return shown(score_text(model, sample()));
           }},
          {"lm_score", "a b\n\nc\n",
           [](const std::string& path) {
             return shown(score_text(train_word_lm(sample(), VocabularyOptions{}, {}), path));
           }},
          {"hmm", "a b\nc\n",
           [](const std::string& path) {
             const HmmResult trained = train_hmm(path, {.states = 2, .iterations = 2});
             return fmt::format("{} {:.12g}", trained.tokens, hmm_log_likelihood(trained.model, path, {}));
           }},
          {"parse", "a b\nc\n", [brackets](const std::string& path) {
             const Parser parser(train_lpcfg(Inputs::from_text(brackets), {}), {});
             std::string text;
             parse_text(parser, path,
                        [&](const ParseResult& result) { text += format_tree(result.tree) + "|"; });
             return text;
           }}};
}

std::vector<Reader> class_readers() {
  const auto classes = [](const std::string& path) { return shown(load_clustering(path)); };
  return {
      {"paths", "0\ta\t5\n10\tb\t3\n11\tc\t1\n", classes},
      {"classes", "a\t0\nb\t1\nc\t1\n", classes},
      {"merges", "a\tb\t1\na\tc\t0\n", classes},
      {"srilm", "C0 0.5 a\nC0 0.5 b\nC1 1 c\n", classes},
      {"clark", "a 0 5\nb 1 3\nc 1 1\n", classes},
      {"json",
       "{\"format\": \"firth-clustering\", \"version\": 1,\n\"classes\": [{\"words\": [{\"word\": \"a\"}]}]}\n",
       classes},
      {"arpa",
       "\\data\\\nngram 1=4\n\n\\1-grams:\n-0.6020600\t<unk>\n-99\t<s>\n-0.6020600\t</s>\n-0.3010300\ta\n\n\\end\\\n",
       [](const std::string& path) { return shown(score_text(load_lm(path), sample())); }}};
}

std::vector<Reader> all_readers() {
  std::vector<Reader> readers;
  for (const auto& some : {text_readers(), list_readers(), tagged_readers(), model_readers(), class_readers(),
                           vector_readers()}) {
    readers.insert(readers.end(), some.begin(), some.end());
  }
  return readers;
}

class EveryReader : public ::testing::TestWithParam<Reader> {};

TEST_P(EveryReader, TakesEveryForm) {
  const Reader& reader = GetParam();
  const testing::TempFolder folder;
  const auto read = [&](const std::string& bytes) { return reader.read(folder.write("file", bytes)); };
  const std::string expected = read(reader.content);
  EXPECT_FALSE(expected.empty());
  const auto expect_all_packed = [&](const std::string& bytes) {
    EXPECT_EQ(read(testing::gzip(bytes)), expected) << "gzip";
    EXPECT_EQ(read(testing::zstd(bytes)), expected) << "zstd";
    EXPECT_EQ(read(testing::xz(bytes)), expected) << "xz";
  };
  expect_all_packed(reader.content);
  if (!reader.is_text) return;
  std::string crlf;
  for (const char c : reader.content) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(read(crlf), expected) << "CRLF";
  EXPECT_EQ(read(mark + reader.content), expected) << "byte-order mark";
  EXPECT_EQ(read(mark + crlf), expected) << "byte-order mark and CRLF";
  EXPECT_EQ(read(reader.content.substr(0, reader.content.size() - 1)), expected) << "no last line feed";
  expect_all_packed(mark + crlf);
}

INSTANTIATE_TEST_SUITE_P(Files, EveryReader, ::testing::ValuesIn(all_readers()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace firth
