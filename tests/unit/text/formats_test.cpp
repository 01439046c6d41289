// Formats that hold text, tokens or ids: the same words as in plain text, and errors that say where.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "counts/count/counting.hpp"
#include "firth/class_lm.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "reference/naive_counter.hpp"
#include "support/temp_folder.hpp"
#include "text/sentence_reader.hpp"

namespace firth {
namespace {

using reference::Sequences;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// Words that formats have to quote, or might take for something else.
const std::vector<std::string> kWords = {
    "a",    "b",      "the",  "\"quoted\"",
    "it's", "a,b",    "#",    "\\n",
    "\"",   "x\"y",   "{}",   "\xc3\xa4\xe2\x82\xac",
    "1-2",  "1.1",    "_",    ",",
    ":",    "<unk>x", "null", "\xe6\x97\xa5",
    "0",    "12",     "-1",   "a-very-long-word-that-is-longer-than-sixteen"};

Sequences random_sequences(base::Rng& rng) {
  Sequences sequences(rng.below(30));
  for (auto& words : sequences) {
    for (std::uint64_t n = rng.below(9); n > 0; --n) words.push_back(kWords[rng.below(kWords.size())]);
  }
  return sequences;
}

std::string joined(const std::vector<std::string>& words, const char* separator = " ") {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string as_columns(const Sequences& sequences, const char* separator) {
  std::string text;
  for (const auto& words : sequences) {
    for (const std::string& word : words) text += fmt::format("X{}{}{}Y\n", separator, word, separator);
    text += '\n';
  }
  return text;
}

std::string as_conllu(const Sequences& sequences) {
  std::string text;
  for (const auto& words : sequences) {
    text += "# sentence\n";
    for (std::size_t i = 0; i < words.size(); ++i) {
      text += fmt::format("{}\t_\t{}\tX\tX\t_\t0\t_\t_\t_\n", i + 1, words[i]);
      if (i % 3 == 0) text += fmt::format("{}.1\tghost\tghost\t_\t_\t_\t_\t_\t_\t_\n", i + 1);
    }
    text += '\n';
  }
  return text;
}

// Some records hold several sequences, as lines; some are lists of tokens.
std::string as_jsonl(const Sequences& sequences, base::Rng& rng) {
  std::string text;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    nlohmann::json value = sequences[i];
    if (rng.below(2) == 0) {
      std::string lines = joined(sequences[i], rng.below(2) == 0 ? " " : " \t");
      while (rng.below(3) == 0 && i + 1 < sequences.size()) lines += "\n" + joined(sequences[++i]);
      value = lines;
    }
    text += nlohmann::json{{"id", i}, {"deep", {{"text", value}, {"other", "no"}}}}.dump() + "\n";
    if (rng.below(5) == 0) text += " \n{\"deep\": {\"text\": null}}\n";
  }
  return text;
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string as_records(const Sequences& sequences, char separator, bool header, base::Rng& rng) {
  std::string text = header ? fmt::format("id{}\"the \"\"text\"\"\"{}more\n", separator, separator) : "";
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    std::string field = joined(sequences[i]);
    while (rng.below(3) == 0 && i + 1 < sequences.size()) field += "\r\n" + joined(sequences[++i]);
    const bool must = field.find_first_of("\r\n") != std::string::npos || field.starts_with('"') ||
                      field.find(separator) != std::string::npos;
    if (must || rng.below(4) == 0) field = in_quotes(field);
    text += fmt::format("{}{}{}{}\"x\ny\"\n", i, separator, field, separator);
  }
  return text;
}

constexpr std::uint32_t kEnd = 100;

std::uint32_t id_of(const std::string& word) {
  return static_cast<std::uint32_t>(std::find(kWords.begin(), kWords.end(), word) - kWords.begin());
}

std::string as_ids(const Sequences& sequences, base::Rng& rng) {
  std::string text;
  for (const auto& words : sequences) {
    for (const std::string& word : words)
      text += fmt::format("{}{}", id_of(word), rng.below(3) == 0 ? "  " : " ");
    text += rng.below(2) == 0 ? "100\n" : rng.below(2) == 0 ? "\n" : "100 ";
  }
  return text;
}

std::string as_binary_ids(const Sequences& sequences, std::size_t bytes) {
  std::string text;
  const auto add = [&](std::uint32_t id) {
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(id >> (8 * i));
  };
  for (const auto& words : sequences) {
    for (const std::string& word : words) add(id_of(word));
    add(kEnd);
  }
  return text;
}

struct Rendering {
  std::string content;
  TextOptions options;
};

std::vector<Rendering> all_renderings(const Sequences& sequences, const std::string& names, base::Rng& rng) {
  const auto ids = [&](InputFormat format) {
    return TextOptions{.format = format, .sequence_end = kEnd, .id_names = names};
  };
  return {{as_columns(sequences, "\t"), {.format = InputFormat::columns, .column = "2"}},
          {as_columns(sequences, "  "), {.format = InputFormat::columns, .column = "-2"}},
          {as_conllu(sequences), {.format = InputFormat::conllu, .column = "lemma"}},
          {as_conllu(sequences), {.format = InputFormat::conllu, .column = "3"}},
          {as_jsonl(sequences, rng), {.format = InputFormat::jsonl, .field = "deep.text"}},
          {as_records(sequences, ',', true, rng), {.format = InputFormat::csv, .column = "the \"text\""}},
          {as_records(sequences, '\t', false, rng), {.format = InputFormat::tsv, .column = "2"}},
          {as_records(sequences, ';', true, rng), {.format = InputFormat::csv, .column = "the \"text\""}},
          {as_ids(sequences, rng), ids(InputFormat::ids)},
          {as_binary_ids(sequences, 2), ids(InputFormat::ids16)},
          {as_binary_ids(sequences, 4), ids(InputFormat::ids32)}};
}

class Formats : public ::testing::Test {
 protected:
  std::string error(const std::string& content, const TextOptions& text, const char* name = "file") const {
    const std::string path = folder_.write(name, content);
    try {
      count_text(path, {.text = text});
    } catch (const InputError& failure) {
      const std::string message = failure.what();
      return message.starts_with(path) ? message.substr(path.size()) : message;
    }
    return "no error";
  }

  testing::TempFolder folder_;
  std::string names_ = folder_.write("names", joined(kWords, "\tx\n") + "\n");
};

TEST_F(Formats, GiveTheCountsOfTheSameWordsWhereverTheyAreCut) {
  base::Rng rng(11);
  for (int round = 0; round < 60; ++round) {
    const Sequences sequences = random_sequences(rng);
    const reference::NaiveCounts expected = reference::naive_count(sequences, {}, {1, 2});
    for (const Rendering& rendering : all_renderings(sequences, names_, rng)) {
      CountOptions options{.distances = {1, 2}, .text = rendering.options};
      counts::CountTuning tuning;
      tuning.block_bytes = 1 + rng.below(200);
      const auto threads = static_cast<unsigned>(1 + rng.below(3));
      const auto files = text::expand_inputs(folder_.write("file", rendering.content), {});
      const Counts counts = counts::count_files(files, options, tuning, {.threads = threads});
      EXPECT_EQ(reference::difference(expected, reference::as_naive(counts)), "") << rendering.content;
    }
  }
}

TEST_F(Formats, GiveTheSentencesOfTheSameWords) {
  base::Rng rng(12);
  Sequences sequences = random_sequences(rng);
  std::erase_if(sequences, [](const auto& words) { return words.empty(); });
  for (const Rendering& rendering : all_renderings(sequences, names_, rng)) {
    text::SentenceReader reader(text::expand_inputs(folder_.write("file", rendering.content), {}),
                                rendering.options, {});
    Sequences got;
    for (std::span<const WordId> sentence; reader.next(sentence);) {
      if (sentence.empty()) continue;
      auto& words = got.emplace_back();
      for (const WordId word : sentence) words.emplace_back(reader.word(word));
    }
    EXPECT_EQ(got, sequences) << rendering.content;
  }
}

TEST_F(Formats, AreFoundByTheNameOrTheFirstLine) {
  const auto words = [&](const char* name, const std::string& content) {
    return count_text(folder_.write(name, content), {.text = {.format = InputFormat::automatic}}).info();
  };
  EXPECT_EQ(words("a.jsonl", "{\"text\": \"x y\"}\n").text_options.substr(0, 12), "format=jsonl");
  EXPECT_EQ(words("a.csv", "text\nx y\n").tokens, 2U);
  EXPECT_EQ(words("a.tsv", "n\ttext\n1\tx y\n").tokens, 2U);
  EXPECT_EQ(words("a.txt", "{\"text\": \"x y\"}\n").tokens, 2U);
  EXPECT_EQ(words("conllu", "1\ta\tb\tX\tX\t_\t0\t_\t_\t_\n").tokens, 1U);
  EXPECT_THROW(count_text({folder_.file("a.csv"), folder_.file("a.txt")},
                          {.text = {.format = InputFormat::automatic}}),
               UsageError);
  EXPECT_EQ(words("a.conll", "EU NNP\nrejects VBZ\n").tokens, 2U);
  EXPECT_EQ(words("b.conll", "1\ta\tb\tX\tX\t_\t0\t_\t_\t_\n").text_options.substr(0, 13), "format=conllu");
  EXPECT_EQ(words("b.txt", "EU NNP B-ORG\nrejects VBZ O\n").tokens, 2U);
  EXPECT_EQ(words("c.txt", "-DOCSTART- O\n\nEU O\n").tokens, 1U);
  EXPECT_EQ(words("d.txt", "my type is O\n").tokens, 4U);
  EXPECT_THAT(error("1 The\n2 cat\n", {.format = InputFormat::automatic}, "c.conll"),
              HasSubstr("the first column has numbers, not words"));
  // Words of CoNLL-U are words already, as long as nobody says that the file is CoNLL-U and wants it split.
  EXPECT_EQ(count_text(folder_.file("conllu"), {.text = {.format = InputFormat::automatic, .tokenize = true}})
                .info()
                .tokens,
            1U);
  EXPECT_THROW(
      count_text(folder_.file("conllu"), {.text = {.format = InputFormat::conllu, .tokenize = true}}),
      UsageError);
}

TEST_F(Formats, BadJsonIsNamedByItsLine) {
  const TextOptions text{.format = InputFormat::jsonl};
  EXPECT_THAT(error("{\"text\": \"a\"}\n{\"text\": \n", text), HasSubstr(":2:1: this is not JSON"));
  EXPECT_THAT(error("[1]\n", text), HasSubstr(":1:1: this is not a JSON object"));
  EXPECT_THAT(error("\n{\"body\": 1, \"title\": 2}\n", text), HasSubstr(":2:1: there is no field 'text'"));
  EXPECT_THAT(error("{\"body\": 1, \"title\": 2}\n", text), HasSubstr("body, title"));
  EXPECT_THAT(error("{\"text\": 7}\n", text), HasSubstr(":1:1: the field 'text' is a number"));
  EXPECT_THAT(error("{\"text\": [\"a\", 7]}\n", text), HasSubstr("a list that holds a number"));
  EXPECT_THAT(error("[\n", text),
              HasSubstr("JSON lines are one object per line: jq -c '.[]' makes them of a list"));
  EXPECT_THAT(error("{\n", text), HasSubstr("jq -c . makes them of longer ones"));
  EXPECT_THAT(error("{\"text\": {\"a\": 1, \"b\": 2}}\n", text),
              HasSubstr("the field 'text' is an object; name one of its keys: text.a, text.b"));
  EXPECT_THAT(error("{\"text\": [\"a b\"]}\n", text),
              HasSubstr("the token 'a b' is empty or has white space"));
  EXPECT_THAT(error("{\"text\": \"a\\u0000\"}\n", text), HasSubstr("NUL character"));
}

TEST_F(Formats, BadRecordsAreNamedByTheirLine) {
  const TextOptions text{.format = InputFormat::csv};
  EXPECT_THAT(error("id,body\n1,a\n", text), HasSubstr(":1: there is no column 'text'"));
  EXPECT_THAT(error("id,body\n1,a\n", text), HasSubstr("id, body"));
  EXPECT_THAT(error("id,text\n1,\"a\nb\"\n2\n", text),
              HasSubstr(":4:1: 1 column, but column 2 is to be read"));
  EXPECT_THAT(error("id,text\n1,\"a\n\n", text), HasSubstr(":2:3: a quote without its end"));
  EXPECT_THAT(error("id,text\n1,\"a\" b\n", text), HasSubstr(":2:6: more text after the end of a quote"));
}

TEST_F(Formats, RecordsOfSpreadsheetsHaveSemicolonsOrTabs) {
  const auto words = [&](const std::string& content, const std::string& column) {
    std::string all;
    const Counts counts = count_text(folder_.write("file.csv", content),
                                     {.text = {.format = InputFormat::automatic, .column = column}});
    for (WordId word = 0; word < counts.vocabulary().size(); ++word)
      all += std::string(counts.vocabulary().word(word)) + " ";
    return all;
  };
  EXPECT_EQ(words("id;note\n1;a, b\n2;\"c;d\n\"\"e\"\"\"\n", "note"), "\"e\" a, b c;d ");
  EXPECT_EQ(words("\xEF\xBB\xBFnote;id\r\na b;1\r\n", "note"), "a b ");
  EXPECT_EQ(words("id\tnote\n1\ta, b\n", "note"), "a, b ");
  EXPECT_EQ(words("1;a, b\n2;c, d\n3;e\n", "2"), "a, b c, d e ");
  EXPECT_EQ(words("note;x,id\na b,1\n", "note;x"), "a b ");  // commas, where they give the column
  EXPECT_EQ(words("a; b,1\nc,2\n", "1"), "a; b c ");         // and where every record has as many
  EXPECT_EQ(words("a, b\nc; d\ne\n", "1"), "a c; d e ");     // and where nothing is better
  EXPECT_THAT(error("id;note\n1;a\n", {.format = InputFormat::csv}), HasSubstr("the columns: id, note;"));
}

TEST_F(Formats, BadColumnsAreNamedByTheirLine) {
  const TextOptions text{.format = InputFormat::columns, .column = "2"};
  EXPECT_THAT(error("a\tb\n\nc\n", text), HasSubstr(":3:1: 1 column, but 2 on line 1"));
  EXPECT_THAT(error("a\nb\n", text),
              HasSubstr(":1:1: there is no column 2 with the words (TextOptions::column): the line has 1"));
  EXPECT_THAT(error("a\t\n", text), HasSubstr(":1:1: an empty word"));
}

TEST_F(Formats, BadIdsAreNamedByTheirPlace) {
  const TextOptions text{.format = InputFormat::ids, .id_names = names_};
  EXPECT_THAT(error("1 2\n3 x\n", text), HasSubstr(":2:3: 'x' is not a token id"));
  EXPECT_THAT(error("1 -2\n", text), HasSubstr(":1:3: '-2' is not a token id"));
  EXPECT_THAT(error("4294967296\n", text), HasSubstr("'4294967296' is not a token id"));
  EXPECT_THAT(error("1\n99\n", text), HasSubstr(":2:1: id 99 has no name"));
  const TextOptions binary{.format = InputFormat::ids16, .id_names = names_};
  EXPECT_THAT(error(std::string("\1\0\143\0", 4), binary), HasSubstr(": number 2: id 99 has no name"));
  EXPECT_THAT(error(std::string("\1\0\2", 3), binary), HasSubstr("the file ends within number 2"));
  const TextOptions twice{.format = InputFormat::ids, .id_names = folder_.write("twice", "a\nb\na\n")};
  EXPECT_THAT(error("1\n", twice), HasSubstr("twice:3: the name 'a' was in line 1 before"));
  const TextOptions spaces{.format = InputFormat::ids, .id_names = folder_.write("spaces", "a\nb c\n")};
  EXPECT_THAT(error("1\n", spaces), HasSubstr("the name of id 1"));
}

TEST_F(Formats, OptionsThatDoNotFitTheFormatAreWrongUsage) {
  const std::vector<TextOptions> wrong = {
      {.format = InputFormat::text, .sequence_end = 1},   {.format = InputFormat::jsonl, .id_names = "x"},
      {.format = InputFormat::jsonl, .field = ""},        {.format = InputFormat::conllu, .column = "head"},
      {.format = InputFormat::columns, .column = "word"}, {.format = InputFormat::ids, .tokenize = true}};
  for (const TextOptions& options : wrong) EXPECT_THROW(validate(options), UsageError);
}

TEST_F(Formats, IdsAreOneSequencePerFileWithoutAnEnd) {
  const auto count = [&](const TextOptions& text, const std::string& content) {
    return count_text(folder_.write("file", content), {.text = text}).info();
  };
  EXPECT_EQ(count({.format = InputFormat::ids16}, std::string("\1\0\2\0\1\0", 6)).sequences, 1U);
  EXPECT_EQ(count({.format = InputFormat::ids}, "1 2\n1\n").sequences, 2U);
  EXPECT_EQ(count({.format = InputFormat::ids, .boundaries = TextBoundaries::stream}, "1 2\n1\n").sequences,
            1U);
}

}  // namespace
}  // namespace firth
