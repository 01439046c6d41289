#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "firth/error.hpp"
#include "firth/tag_scores.hpp"
#include "tagger/tag_scheme.hpp"
#include "text/token_reader.hpp"

namespace firth {
namespace {

double ratio(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

using Unknown = std::function<bool(std::string_view)>;

/// Adds up what sentences have, and keeps what each one had.
class TagScorer {
 public:
  TagScorer(bool entities, const Unknown& unknown) : unknown_(unknown) { score_.has_entities = entities; }

  void add(const TaggedSentence& gold, std::span<const std::string> guessed) {
    SentenceScore& sentence = score_.sentences.emplace_back();
    is_unknown_.assign(gold.words.size(), false);
    for (std::size_t i = 0; i < gold.words.size(); ++i) {
      const bool right = gold.tags[i] == guessed[i];
      is_unknown_[i] = unknown_ && unknown_(gold.words[i]);
      ++sentence.words;
      sentence.right_words += right ? 1 : 0;
      sentence.unknown_words += is_unknown_[i] ? 1 : 0;
      sentence.right_unknown_words += is_unknown_[i] && right ? 1 : 0;
    }
    if (score_.has_entities) add_entities(entity_spans(gold.tags), entity_spans(guessed), sentence);
    score_.words += sentence.words;
    score_.right_words += sentence.right_words;
    score_.unknown_words += sentence.unknown_words;
    score_.right_unknown_words += sentence.right_unknown_words;
    score_.entities += sentence.entities;
    score_.unknown_entities += sentence.unknown_entities;
  }

  TagScore finish() {
    score_.types.assign(types_.begin(), types_.end());
    return std::move(score_);
  }

 private:
  void add_entities(const std::vector<TagSpan>& gold, const std::vector<TagSpan>& guessed,
                    SentenceScore& sentence) {
    for (const TagSpan& span : gold) count(span, sentence, &EntityCounts::gold);
    for (const TagSpan& span : guessed) {
      count(span, sentence, &EntityCounts::guessed);
      if (std::find(gold.begin(), gold.end(), span) != gold.end()) {
        count(span, sentence, &EntityCounts::right);
      }
    }
  }

  void count(const TagSpan& span, SentenceScore& sentence, std::uint64_t EntityCounts::*what) {
    ++(sentence.entities.*what);
    ++(types_[span.type].*what);
    const auto begin = is_unknown_.begin() + span.begin;
    const auto end = is_unknown_.begin() + span.end;
    if (std::find(begin, end, true) != end) ++(sentence.unknown_entities.*what);
  }

  const Unknown& unknown_;
  TagScore score_;
  std::map<std::string, EntityCounts> types_;
  std::vector<bool> is_unknown_;
};

}  // namespace

double EntityCounts::precision() const {
  return ratio(right, guessed);
}

double EntityCounts::recall() const {
  return ratio(right, gold);
}

double EntityCounts::f1() const {
  return ratio(2 * right, gold + guessed);  // = 2 P R / (P + R)
}

EntityCounts& EntityCounts::operator+=(const EntityCounts& other) {
  gold += other.gold;
  guessed += other.guessed;
  right += other.right;
  return *this;
}

double TagScore::accuracy() const {
  return ratio(right_words, words);
}

double TagScore::unknown_accuracy() const {
  return ratio(right_unknown_words, unknown_words);
}

TagScore score_tags(std::span<const TaggedSentence> gold, std::span<const std::vector<std::string>> guessed,
                    const std::function<bool(std::string_view)>& unknown) {
  if (gold.size() != guessed.size()) {
    throw UsageError(
        fmt::format("{} sentences with tags, but {} to compare them with", guessed.size(), gold.size()),
        "compare the same sentences");
  }
  TagScorer scorer(are_entity_tags(gold), unknown);
  for (std::size_t i = 0; i < gold.size(); ++i) {
    if (gold[i].tags.size() != guessed[i].size() || gold[i].words.size() != guessed[i].size()) {
      throw UsageError(fmt::format("sentence {} has {} words, but {} tags to compare", i + 1,
                                   gold[i].words.size(), guessed[i].size()),
                       "compare the same sentences");
    }
    scorer.add(gold[i], guessed[i]);
  }
  return scorer.finish();
}

TagScore score_tagged_file(const Inputs& inputs, const TokenOptions& options, const RunOptions& run) {
  text::TokenReader reader(inputs, options, text::ReadColumns::guesses, run);
  text::TokenSentence sentence;
  std::vector<TaggedSentence> gold;
  std::vector<std::vector<std::string>> guessed;
  while (reader.next(sentence)) {
    TaggedSentence& tagged = gold.emplace_back();
    std::vector<std::string>& guesses = guessed.emplace_back();
    for (const text::TokenLine& line : sentence.lines) {
      if (!line.is_token()) continue;
      tagged.words.emplace_back(sentence.part(line.word));
      tagged.tags.emplace_back(sentence.part(line.tag));
      guesses.emplace_back(sentence.part(line.guess));
    }
  }
  return score_tags(gold, guessed);
}

TagScore score_tagger(const Tagger& tagger, std::span<const TaggedSentence> gold, const TagOptions& options,
                      const RunOptions& run) {
  TagSession session(tagger, options);
  const Unknown unknown = [&](std::string_view word) { return !tagger.knows(word); };
  TagScorer scorer(are_entity_tags(gold), unknown);
  std::vector<std::string_view> words;
  std::vector<std::string> guessed;
  std::vector<tagger::TagParts> parts;
  TaggedSentence recoded;
  for (const TaggedSentence& sentence : gold) {
    run.check_stop();
    words.assign(sentence.words.begin(), sentence.words.end());
    session.tag_names(words, TagScheme::bio, guessed);
    if (tagger.scheme() == TagScheme::plain) {
      scorer.add(sentence, guessed);
      continue;
    }
    // Word accuracy must not depend on the scheme of the file.
    recoded.words = sentence.words;
    parts.clear();
    for (const std::string& tag : sentence.tags)
      parts.push_back(tagger::split_tag(tag).value_or(tagger::TagParts{}));
    tagger::recode_tags(parts, TagScheme::bio, recoded.tags);
    scorer.add(recoded, guessed);
  }
  return scorer.finish();
}

}  // namespace firth
