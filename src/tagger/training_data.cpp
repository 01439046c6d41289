#include "tagger/training_data.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "base/memory_limit.hpp"
#include "firth/error.hpp"

namespace firth::tagger {
namespace {

constexpr std::size_t kMaxTags = 1024;
/// Features of several words for each word to be tagged, besides those of every clustering.
constexpr std::uint64_t kJointFeatures = 5;
constexpr std::uint64_t kJointFeaturesOfClasses = 1;

SourceLocation place(const TaggedSentence& sentence, std::size_t i) {
  return {sentence.path, i < sentence.lines.size() ? sentence.lines[i] : 0, 0};
}

template <typename Body>
void for_each_tag(std::span<const TaggedSentence> sentences, const Body& body) {
  for (const TaggedSentence& sentence : sentences) {
    for (std::size_t i = 0; i < sentence.tags.size(); ++i)
      body(sentence, i, std::string_view(sentence.tags[i]));
  }
}

/// Entity tags are those that are O and something that begins or goes on: parts of speech have neither.
TagScheme detect_scheme(std::span<const TaggedSentence> sentences) {
  bool outside = false;
  bool entities = false;
  bool all = true;
  for_each_tag(sentences, [&](const TaggedSentence&, std::size_t, std::string_view tag) {
    const auto parts = split_tag(tag);
    outside = outside || tag == "O";
    entities = entities || (parts && parts->mark != Mark::outside);
    all = all && parts.has_value();
  });
  return entities && (outside || all) ? TagScheme::bilou : TagScheme::plain;
}

}  // namespace

TagSet find_tags(std::span<const TaggedSentence> sentences, TagScheme scheme) {
  if (scheme == TagScheme::io)
    throw UsageError("a tagger cannot be trained with io", "use bio or bilou", "TaggerOptions::scheme");
  if (scheme == TagScheme::automatic) scheme = detect_scheme(sentences);
  std::set<std::string, std::less<>> names;
  for_each_tag(sentences, [&](const TaggedSentence& sentence, std::size_t i, std::string_view tag) {
    const auto parts = split_tag(tag);
    if (scheme == TagScheme::plain) {
      names.emplace(tag);
    } else if (!parts) {
      throw InputError(
          place(sentence, i), fmt::format("'{}' is not a tag of an entity scheme", tag),
          "tags are O, or B- I- L- U- (E- S- M- W-) and a type; for plain tags set TaggerOptions::scheme, and "
          "see TokenOptions::tag_column");
    } else if (parts->mark != Mark::outside) {
      names.emplace(parts->type);
    }
    if (names.size() > kMaxTags) {
      throw InputError(place(sentence, i), fmt::format("more than {} different tags", kMaxTags),
                       "is this the column with the tags? see TokenOptions::tag_column");
    }
  });
  TagSet tags(scheme, {names.begin(), names.end()});
  if (tags.size() > kMaxTags) {
    throw InputError({sentences.front().path}, fmt::format("{} types of entities", names.size()),
                     "is this the column with the tags? see TokenOptions::tag_column");
  }
  return tags;
}

std::vector<TagId> encode_tags(std::span<const TaggedSentence> sentences, const TagSet& tags) {
  std::unordered_map<std::string_view, TagId> numbers;
  for (std::size_t tag = 0; tag < tags.size(); ++tag) {
    numbers.emplace(tags.name(static_cast<TagId>(tag)), static_cast<TagId>(tag));
  }
  std::vector<TagId> encoded;
  std::vector<TagParts> parts;
  std::vector<std::string> names;
  for (const TaggedSentence& sentence : sentences) {
    if (tags.scheme() == TagScheme::plain) {
      for (const std::string& tag : sentence.tags) encoded.push_back(numbers.at(tag));
      continue;
    }
    parts.clear();
    for (const std::string& tag : sentence.tags) parts.push_back(*split_tag(tag));
    recode_tags(parts, tags.scheme(), names);
    for (const std::string& name : names) encoded.push_back(numbers.at(name));
  }
  return encoded;
}

TrainingData::TrainingData(std::span<const TaggedSentence> sentences, const Model& model,
                           Perceptron& perceptron, const RunOptions& run)
    : class_tables_(model.classes.size()) {
  number_types(sentences);
  // A number for each joint feature, and for at most as many different ones a place in the index.
  const std::uint64_t joint = types_.size() * (kJointFeatures + kJointFeaturesOfClasses * class_tables_);
  const std::uint64_t needed = joint * (sizeof(std::uint32_t) + 5 * sizeof(Hash));
  base::require_memory(run, needed, fmt::format("training on {} words", types_.size()),
                       "give fewer sentences");
  make_types(model, perceptron, run);
  make_joint(perceptron, run);
}

void TrainingData::number_types(std::span<const TaggedSentence> sentences) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  spellings_.emplace_back();
  for (const TaggedSentence& sentence : sentences) {
    for (const std::string& word : sentence.words) {
      const auto [found, is_new] = numbers.try_emplace(word, static_cast<std::uint32_t>(spellings_.size()));
      if (is_new) spellings_.emplace_back(word);
      types_.push_back(found->second);
    }
    sentence_first_.push_back(types_.size());
  }
}

void TrainingData::make_types(const Model& model, Perceptron& perceptron, const RunOptions& run) {
  WordFeaturizer featurizer(model.classes);
  text::UnicodeWords unicode;
  words_.resize(spellings_.size());
  vectors_.resize(model.vectors.size());
  for (std::size_t type = 0; type < spellings_.size(); ++type) {
    if (type % 1024 == 0) run.check_stop();
    WordFeatures& word = words_[type];
    if (type == kBoundary) {
      word = WordFeaturizer::boundary();
    } else {
      featurizer.make(spellings_[type], word);
    }
    faces_.push_back({word.atoms, type == kBoundary ? nullptr : word.coarse.data()});
    for (int offset = -kWindow; offset <= kWindow; ++offset) {
      for (const Hash hash : word.at(offset)) {
        type_features_.push_back(perceptron.number(at_offset(hash, offset)));
      }
      type_first_.push_back(type_features_.size());
    }
    for (std::size_t source = 0; source < vectors_.size(); ++source) {
      const bool boundary = type == kBoundary;
      vectors_[source].push_back(boundary ? std::span<const float>()
                                          : model.vectors[source].find(spellings_[type], unicode));
    }
  }
}

void TrainingData::make_joint(Perceptron& perceptron, const RunOptions& run) {
  std::vector<Hash> hashes;
  std::array<WordView, kOffsets> window;
  for (std::size_t sentence = 0; sentence < sentence_count(); ++sentence) {
    run.check_stop();
    for (std::size_t token = begin(sentence); token < end(sentence); ++token) {
      for (int offset = -kWindow; offset <= kWindow; ++offset) {
        window[static_cast<std::size_t>(offset + kWindow)] = faces_[type_at(sentence, token, offset)];
      }
      hashes.clear();
      add_joint_features(window, class_tables_, hashes);
      for (const Hash hash : hashes) joint_features_.push_back(perceptron.number(hash));
      joint_first_.push_back(joint_features_.size());
    }
  }
}

}  // namespace firth::tagger
