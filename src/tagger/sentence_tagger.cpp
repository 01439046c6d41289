#include "tagger/sentence_tagger.hpp"

#include <algorithm>

#include "base/internals.hpp"

namespace firth::tagger {
namespace {

/// Longer sentences are tagged piece by piece, so that memory stays small.
constexpr std::size_t kLongestPiece = 20000;
/// Scores of words that are kept, in bytes.
constexpr std::size_t kMaxRemembered = std::size_t{64} << 20U;

}  // namespace

SentenceTagger::SentenceTagger(const Tagger& tagger, int beam)
    : tagger_(tagger), model_(base::internals(tagger)), beam_(beam), featurizer_(model_.classes) {
  prepare(WordFeaturizer::boundary(), {}, boundary_);
}

std::span<const TagId> SentenceTagger::tag(std::span<const std::string_view> words) {
  result_.clear();
  while (!words.empty()) {
    const std::span<const std::string_view> piece = words.first(std::min(words.size(), kLongestPiece));
    tag_piece(piece);
    words = words.subspan(piece.size());
  }
  return result_;
}

const KnownWord& SentenceTagger::known(std::string_view word) {
  const auto found = words_.find(word);
  if (found != words_.end()) return found->second;
  const std::size_t bytes = sizeof(KnownWord) + model_.tags.size() * kOffsets * sizeof(Score);
  if (words_.size() >= kMaxRemembered / bytes) words_.clear();
  KnownWord& entry = words_[std::string(word)];
  featurizer_.make(word, features_);
  prepare(features_, word, entry);
  return entry;
}

void SentenceTagger::prepare(const WordFeatures& word, std::string_view spelling, KnownWord& entry) {
  const std::size_t tags = model_.tags.size();
  entry.atoms = word.atoms;
  entry.coarse = word.coarse;
  entry.scores.assign(kOffsets * tags, 0);
  for (int offset = -kWindow; offset <= kWindow; ++offset) {
    const std::span<Score> row =
        std::span(entry.scores).subspan(static_cast<std::size_t>(offset + kWindow) * tags, tags);
    for (const Hash hash : word.at(offset)) model_.weights.add(at_offset(hash, offset), row);
  }
  if (spelling.empty()) return;
  std::vector<float> sums(tags);
  for (const VectorTable& table : model_.vectors) {
    const std::span<const float> vector = table.find(spelling, unicode_);
    if (vector.empty()) continue;
    for (std::size_t offset = 0; offset < kVectorOffsets; ++offset) {
      multiply(vector, table.weights_at(offset, tags), sums);
      Score* const row = entry.scores.data() + (offset + kWindow - kVectorWindow) * tags;
      for (std::size_t t = 0; t < tags; ++t) row[t] += vector_score(sums[t]);
    }
  }
}

// The word at `at` (before, in or after the sentence) gives its scores to all words that see it.
void SentenceTagger::add_neighbour(const KnownWord& word, std::ptrdiff_t at, std::ptrdiff_t length) {
  const std::size_t tags = model_.tags.size();
  for (std::ptrdiff_t offset = -kWindow; offset <= kWindow; ++offset) {
    const std::ptrdiff_t target = at - offset;
    if (target < 0 || target >= length) continue;
    const Score* const row = word.scores.data() + static_cast<std::size_t>(offset + kWindow) * tags;
    Score* const sums = local_.data() + static_cast<std::size_t>(target) * tags;
    for (std::size_t t = 0; t < tags; ++t) sums[t] += row[t];
  }
}

void SentenceTagger::add_local(std::span<const std::string_view> sentence) {
  const std::size_t tables = model_.classes.size();
  const auto length = static_cast<std::ptrdiff_t>(sentence.size());
  local_.assign(sentence.size() * model_.tags.size(), 0);
  coarse_.resize(sentence.size() * tables);
  faces_.assign(sentence.size() + 2 * kWindow, {boundary_.atoms, nullptr});
  for (std::ptrdiff_t edge = 1; edge <= kWindow; ++edge) {
    add_neighbour(boundary_, -edge, length);
    add_neighbour(boundary_, length - 1 + edge, length);
  }
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const KnownWord& word = known(sentence[i]);
    add_neighbour(word, static_cast<std::ptrdiff_t>(i), length);
    std::copy(word.coarse.begin(), word.coarse.end(),
              coarse_.begin() + static_cast<std::ptrdiff_t>(i * tables));
    faces_[i + kWindow] = {word.atoms, coarse_.data() + i * tables};
  }
}

// Hashes first, so that their places in the index are on their way when they are looked up.
void SentenceTagger::add_joint(std::size_t length) {
  const std::size_t tags = model_.tags.size();
  hashes_.clear();
  hash_ends_.clear();
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t before = hashes_.size();
    add_joint_features(std::span(faces_).subspan(i).first<kOffsets>(), model_.classes.size(), hashes_);
    for (std::size_t h = before; h < hashes_.size(); ++h) model_.weights.index.prefetch(hashes_[h]);
    hash_ends_.push_back(hashes_.size());
  }
  std::size_t h = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::span<Score> row = std::span(local_).subspan(i * tags, tags);
    for (; h < hash_ends_[i]; ++h) model_.weights.add(hashes_[h], row);
  }
}

void SentenceTagger::add(std::size_t i, History history, std::span<Score> scores) {
  hashes_.clear();
  add_history_features(history, faces_[i + kWindow].atoms, hashes_);
  for (const Hash hash : hashes_) model_.weights.add(hash, scores);
}

void SentenceTagger::tag_piece(std::span<const std::string_view> sentence) {
  add_local(sentence);
  add_joint(sentence.size());
  decoder_.decode({model_.tags, sentence.size(), local_}, *this, beam_, piece_);
  result_.insert(result_.end(), piece_.begin(), piece_.end());
}

}  // namespace firth::tagger
