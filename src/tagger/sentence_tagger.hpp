// Tags sentences with a trained model; what a TagSession does.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tagger/chain_decoder.hpp"
#include "tagger/model.hpp"

namespace firth::tagger {

/// What is the same wherever a word stands: the scores that its own features give to the word itself and to
/// its neighbours.
struct KnownWord {
  WordHashes atoms;
  std::vector<Hash> coarse;
  std::vector<Score> scores;  ///< by offset from the word that is tagged, then by tag
};

/// Most features belong to one word, so the sum of their weights is made once for each different word and
/// kept; only features of several words and of tags are looked up again.
class SentenceTagger final : public HistoryScorer {
 public:
  SentenceTagger(const Tagger& tagger, int beam);

  /// Valid until the next call.
  std::span<const TagId> tag(std::span<const std::string_view> words);

  void add(std::size_t i, History history, std::span<Score> scores) override;

  const TagSet& tags() const noexcept { return model_.tags; }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return hash_text(0, text); }
  };

  /// The words of a sentence as the model spells them.
  struct Spelling {
    explicit Spelling(const Preprocessing& how) : maker(how) {}

    /// Valid until the next call.
    std::span<const std::string_view> operator()(std::span<const std::string_view> words);

    text::UnicodeWords unicode;
    text::WordMaker maker;
    std::vector<std::string> spellings;
    std::vector<std::string_view> views;
  };

  /// What is known about the words being tagged.
  struct Piece {
    std::vector<WordView> words;  ///< with kWindow boundaries at each end
    std::vector<Hash> coarse;     ///< by word, then by clustering
    std::vector<Score> scores;    ///< by word, then by tag: of features that do not depend on tags before
    std::vector<Hash> hashes;
    std::vector<std::size_t> hash_ends;
    std::vector<TagId> tags;
    std::vector<std::vector<NameMark>> names;  ///< where names stand, by list
    SentenceCase style = SentenceCase::usual;
  };

  void tag_piece(std::span<const std::string_view> words);
  const KnownWord& known(std::string_view word);
  void prepare(const WordFeatures& word, std::string_view spelling, KnownWord& entry);
  void add_local(std::span<const std::string_view> words);
  void add_neighbour(const KnownWord& word, std::ptrdiff_t at, std::ptrdiff_t length);
  void add_joint(std::size_t length);
  void mark(std::size_t length);

  Tagger tagger_;  // keeps the model
  const Model& model_;
  int beam_;
  WordFeaturizer featurizer_;
  Spelling spelling_;
  std::unordered_map<std::string, KnownWord, TextHash, std::equal_to<>> words_;
  KnownWord boundary_;
  WordFeatures features_;
  Piece piece_;
  Decoder decoder_;
  ChainDecoder chain_;
  std::vector<TagId> result_;
};

}  // namespace firth::tagger
