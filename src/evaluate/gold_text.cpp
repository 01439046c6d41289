#include <string>
#include <unordered_map>

#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/gold_tags.hpp"
#include "text/token_reader.hpp"
#include "text/unicode_words.hpp"
#include "text/word_order.hpp"

namespace firth {
namespace {

constexpr const char* kHint = "give CoNLL-U, or columns with the word first and the tag last";

/// Names numbered in order of their first appearance.
class Names {
 public:
  std::uint32_t id(std::string_view name) {
    const auto [place, added] =
        ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(counts_.size()));
    if (added) {
      names_.push_back(&place->first);
      counts_.push_back(0);
    }
    ++counts_[place->second];
    return place->second;
  }

  /// Sorts by falling count, then bytes; returns the new number of every old one.
  std::vector<std::uint32_t> rank(std::vector<std::pair<std::string, Count>>& ranked) const {
    std::vector<text::CountedWord> words;
    for (std::size_t i = 0; i < counts_.size(); ++i) words.push_back({*names_[i], counts_[i]});
    std::vector<std::uint32_t> rank_of(words.size());
    for (const std::uint32_t place : text::frequency_order(words)) {
      rank_of[place] = static_cast<std::uint32_t>(ranked.size());
      ranked.emplace_back(words[place].word, words[place].count);
    }
    return rank_of;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<const std::string*> names_;
  std::vector<Count> counts_;
};

class GoldTextBuilder {
 public:
  explicit GoldTextBuilder(const GoldTextOptions& options)
      : maker_(Preprocessing{.normalize = options.normalize, .lowercase = options.lowercase}) {}

  void add(const text::TokenSentence& sentence) {
    for (const text::TokenLine& line : sentence.lines) {
      if (!line.is_token()) continue;
      text_.words.push_back(words_.id(maker_.token(sentence.part(line.word))));
      text_.tag_of.push_back(tags_.id(sentence.part(line.tag)));
    }
    const std::uint64_t begin = text_.ends.empty() ? 0 : text_.ends.back();
    if (text_.words.size() > begin) text_.ends.push_back(text_.words.size());
  }

  GoldText finish() {
    std::vector<std::pair<std::string, Count>> words;
    std::vector<std::pair<std::string, Count>> tags;
    const std::vector<std::uint32_t> word_rank = words_.rank(words);
    const std::vector<std::uint32_t> tag_rank = tags_.rank(tags);
    for (WordId& word : text_.words) word = word_rank[word];
    for (std::uint32_t& tag : text_.tag_of) tag = tag_rank[tag];
    for (auto& [name, count] : tags) text_.tags.push_back(std::move(name));
    text_.vocabulary = Vocabulary::from_words(std::move(words));
    return std::move(text_);
  }

 private:
  text::WordMaker maker_;
  Names words_;
  Names tags_;
  GoldText text_;
};

}  // namespace

GoldText read_tagged_text(const Inputs& inputs, const GoldTextOptions& options, const RunOptions& run) {
  text::TokenReader reader(inputs, {.invalid_utf8 = options.invalid_utf8, .conllu_tag = options.tag},
                           text::ReadColumns::tags, run);
  GoldTextBuilder builder(options);
  base::Stage stage(run, "reading tags", "bytes", reader.bytes_total());
  for (text::TokenSentence sentence; reader.next(sentence);) {
    builder.add(sentence);
    stage.advance(reader.bytes_done());
  }
  stage.end();
  GoldText text = builder.finish();
  if (text.words.empty()) throw InputError({inputs.first_name()}, "no tagged words", kHint);
  return text;
}

}  // namespace firth
