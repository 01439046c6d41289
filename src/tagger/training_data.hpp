// Tagged sentences as numbers: tags, and the features of every word.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "firth/tagger.hpp"
#include "tagger/model.hpp"
#include "tagger/tag_scheme.hpp"
#include "tagger/word_features.hpp"

namespace firth::tagger {

/// The tags of the sentences; bilou, bio or plain. Throws InputError for a tag that does not fit the scheme.
TagSet find_tags(std::span<const TaggedSentence> sentences, TagScheme scheme);

/// The sentences' tags as numbers of the set, one after the other.
std::vector<TagId> encode_tags(std::span<const TaggedSentence> sentences, const TagSet& tags);

/// All words of all sentences. Features of single words are kept once for each different word.
class TrainingData {
 public:
  /// Adds the features to `index`. `model` has the tags, classes and vectors. Throws ResourceError as soon as the
  /// sentences, their features and the weights of these, `feature_bytes` each, need more memory than is allowed.
  TrainingData(std::span<const TaggedSentence> sentences, const Model& model, FeatureIndex& index,
               std::size_t feature_bytes, const RunOptions& run);

  std::size_t sentence_count() const noexcept { return sentence_first_.size() - 1; }
  std::size_t begin(std::size_t sentence) const { return sentence_first_[sentence]; }
  std::size_t end(std::size_t sentence) const { return sentence_first_[sentence + 1]; }

  /// Calls use(feature) for every feature of word `token` of sentence `sentence` that does not depend on
  /// tags.
  template <typename Use>
  void for_each_feature(std::size_t sentence, std::size_t token, const Use& use) const {
    for (int offset = -kWindow; offset <= kWindow; ++offset) {
      const std::size_t list =
          type_at(sentence, token, offset) * kOffsets + static_cast<std::size_t>(offset + kWindow);
      for (std::size_t i = type_first_[list]; i < type_first_[list + 1]; ++i) use(type_features_[i]);
    }
    for (std::size_t i = joint_first_[token]; i < joint_first_[token + 1]; ++i) use(joint_features_[i]);
  }

  /// Calls use(source, place in the window, vector) for every vector of the word and its neighbours.
  template <typename Use>
  void for_each_vector(std::size_t sentence, std::size_t token, const Use& use) const {
    for (std::size_t source = 0; source < vectors_.size(); ++source) {
      for (std::size_t place = 0; place < kVectorOffsets; ++place) {
        const int offset = static_cast<int>(place) - kVectorWindow;
        const std::span<const float> vector = vectors_[source][type_at(sentence, token, offset)];
        if (!vector.empty()) use(source, place, vector);
      }
    }
  }

  const WordHashes& atoms(std::size_t token) const { return views_[types_[token]].atoms; }

  /// Memory of this and the sentences, without the index.
  std::uint64_t bytes() const noexcept { return bytes_; }

  /// The right tags of a sentence.
  std::span<const TagId> gold(std::size_t sentence) const {
    return std::span(gold_).subspan(begin(sentence), end(sentence) - begin(sentence));
  }

 private:
  static constexpr std::uint32_t kBoundary = 0;

  std::uint32_t type_at(std::size_t sentence, std::size_t token, int offset) const {
    const auto at = static_cast<std::ptrdiff_t>(token) + offset;
    const bool inside =
        at >= static_cast<std::ptrdiff_t>(begin(sentence)) && at < static_cast<std::ptrdiff_t>(end(sentence));
    return inside ? types_[static_cast<std::size_t>(at)] : kBoundary;
  }
  /// What there is besides the features themselves.
  struct Surroundings {
    const Model& model;
    const RunOptions& run;
    std::uint64_t text_bytes = 0;   // the sentences
    std::size_t feature_bytes = 0;  // the weights of a feature
  };

  void number_types(std::span<const TaggedSentence> sentences);
  void make_types(const Surroundings& around, FeatureIndex& index);
  void make_joint(const Surroundings& around, FeatureIndex& index);
  void require_memory(const Surroundings& around, const FeatureIndex& index);
  /// Where names are in a sentence, by list.
  std::vector<std::vector<NameMark>> marks(const Model& model, std::size_t sentence) const;
  SentenceCase case_of(std::size_t sentence) const;

  std::vector<TagId> gold_;
  std::vector<std::size_t> sentence_first_ = {0};
  std::vector<std::uint32_t> types_;         // of every word of every sentence
  std::vector<std::string_view> spellings_;  // of types
  std::vector<WordFeatures> words_;          // of types
  std::vector<WordView> views_;
  std::vector<std::size_t> type_first_ = {0};  // by type, then by offset
  std::vector<std::uint32_t> type_features_;
  std::vector<std::size_t> joint_first_ = {0};
  std::vector<std::uint32_t> joint_features_;
  std::uint64_t bytes_ = 0;                                   // with the sentences, without the index
  std::vector<std::vector<std::span<const float>>> vectors_;  // by source, then by type
};

}  // namespace firth::tagger
