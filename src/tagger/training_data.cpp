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
/// Memory is checked again after this many words, which have at most as many new features.
constexpr std::size_t kWordsAtOnce = 1024;
constexpr std::size_t kFeaturesAtOnce = 64 * kWordsAtOnce;

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

std::uint64_t bytes_of(std::span<const TaggedSentence> sentences) {
  const auto of_strings = [](const std::vector<std::string>& strings) {
    const std::size_t inside = std::string().capacity();
    std::uint64_t bytes = strings.capacity() * sizeof(std::string);
    for (const std::string& one : strings) bytes += one.capacity() > inside ? one.capacity() : 0;
    return bytes;
  };
  std::uint64_t bytes = 0;
  for (const TaggedSentence& sentence : sentences) {
    bytes += sizeof(TaggedSentence) + of_strings(sentence.words) + of_strings(sentence.tags) +
             sentence.lines.capacity() * sizeof(sentence.lines[0]);
  }
  return bytes;
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

TrainingData::TrainingData(std::span<const TaggedSentence> sentences, const Model& model, FeatureIndex& index,
                           std::size_t feature_bytes, const RunOptions& run)
    : gold_(encode_tags(sentences, model.tags)) {
  number_types(sentences);
  const Surroundings around = {model, run, bytes_of(sentences), feature_bytes};
  make_types(around, index);
  make_joint(around, index);
}

void TrainingData::require_memory(const Surroundings& around, const FeatureIndex& index) {
  const auto bytes = [](const auto& list) { return std::uint64_t{list.capacity()} * sizeof(list[0]); };
  bytes_ = around.text_bytes + bytes(gold_) + bytes(sentence_first_) + bytes(types_) + bytes(spellings_) +
           bytes(words_) + bytes(views_) + bytes(type_first_) + bytes(type_features_) + bytes(joint_first_) +
           bytes(joint_features_);
  bytes_ += words_.size() * around.model.classes.size() * sizeof(Hash);
  bytes_ += std::uint64_t{words_.size()} * vectors_.size() * sizeof(std::span<const float>);
  const std::uint64_t features = index.size() + kFeaturesAtOnce;
  const std::uint64_t needed = bytes_ + index.bytes_for(features) + features * around.feature_bytes;
  const std::size_t done = joint_first_.size() - 1;
  const std::string what = done == 0
                               ? fmt::format("training on {} different words", words_.size())
                               : fmt::format("training on the first {} of {} words", done, types_.size());
  base::require_memory(around.run, needed, what, "give fewer sentences");
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

void TrainingData::make_types(const Surroundings& around, FeatureIndex& index) {
  const Model& model = around.model;
  WordFeaturizer featurizer(model.classes);
  text::UnicodeWords unicode;
  words_.resize(spellings_.size());
  views_.reserve(spellings_.size());
  vectors_.resize(model.vectors.size());
  for (std::size_t type = 0; type < spellings_.size(); ++type) {
    if (type % kWordsAtOnce == 0) {
      around.run.check_stop();
      require_memory(around, index);
    }
    WordFeatures& word = words_[type];
    if (type == kBoundary) {
      word = WordFeaturizer::boundary();
    } else {
      featurizer.make(spellings_[type], word);
    }
    views_.push_back({word.atoms, type == kBoundary ? nullptr : word.coarse.data(), type != kBoundary});
    for (int offset = -kWindow; offset <= kWindow; ++offset) {
      for (const Hash hash : word.at(offset)) {
        type_features_.push_back(index.find_or_add(at_offset(hash, offset)));
      }
      type_first_.push_back(type_features_.size());
    }
    word.here = word.near = word.far = {};  // they have their numbers
    for (std::size_t source = 0; source < vectors_.size(); ++source) {
      const bool boundary = type == kBoundary;
      vectors_[source].push_back(boundary ? std::span<const float>()
                                          : model.vectors[source].find(spellings_[type], unicode));
    }
  }
}

SentenceCase TrainingData::case_of(std::size_t sentence) const {
  std::size_t capitals = 0;
  std::size_t with_small = 0;
  for (std::size_t token = begin(sentence); token < end(sentence); ++token) {
    capitals += atoms(token).is_capital ? 1 : 0;
    with_small += atoms(token).has_small ? 1 : 0;
  }
  return sentence_case(end(sentence) - begin(sentence), capitals, with_small);
}

std::vector<std::vector<NameMark>> TrainingData::marks(const Model& model, std::size_t sentence) const {
  std::vector<std::vector<NameMark>> found(model.names.size());
  if (found.empty()) return found;
  std::vector<Hash> lower;
  for (std::size_t token = begin(sentence); token < end(sentence); ++token)
    lower.push_back(atoms(token).lower);
  for (std::size_t list = 0; list < found.size(); ++list) mark_names(model.names[list], lower, found[list]);
  return found;
}

void TrainingData::make_joint(const Surroundings& around, FeatureIndex& index) {
  const Model& model = around.model;
  std::size_t next_look = 0;
  std::vector<Hash> hashes;
  std::array<WordView, kOffsets> window;
  for (std::size_t sentence = 0; sentence < sentence_count(); ++sentence) {
    around.run.check_stop();
    if (begin(sentence) >= next_look) {
      require_memory(around, index);
      next_look = begin(sentence) + kWordsAtOnce;
    }
    const SentenceCase sentence_style = case_of(sentence);
    const bool is_plain = model.tags.scheme() == TagScheme::plain;
    const std::vector<std::vector<NameMark>> names = marks(model, sentence);
    for (std::size_t token = begin(sentence); token < end(sentence); ++token) {
      for (std::size_t place = 0; place < kOffsets; ++place) {
        window[place] = views_[type_at(sentence, token, static_cast<int>(place) - kWindow)];
      }
      hashes.clear();
      if (model.joint) add_joint_features({window, sentence_style, model.classes.size(), is_plain}, hashes);
      add_name_features(names, token - begin(sentence), hashes);
      for (const Hash hash : hashes) joint_features_.push_back(index.find_or_add(hash));
      joint_first_.push_back(joint_features_.size());
    }
  }
}

}  // namespace firth::tagger
