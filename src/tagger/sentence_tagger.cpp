#include "tagger/sentence_tagger.hpp"

#include <algorithm>

#include "base/internals.hpp"

namespace firth::tagger {
namespace {

/// Longer sentences are tagged piece by piece, so that memory stays small.
constexpr std::size_t kLongestPiece = 20000;
/// Scores of words that are kept, in bytes.
constexpr std::size_t kMaxRememberedBytes = std::size_t{64} << 20U;

}  // namespace

SentenceTagger::SentenceTagger(const Tagger& tagger, int beam)
    : tagger_(tagger),
      model_(base::internals(tagger)),
      beam_(beam),
      featurizer_(model_.classes),
      spelling_(model_.spelling) {
  prepare(WordFeaturizer::boundary(), {}, boundary_);
}

std::span<const TagId> SentenceTagger::tag(std::span<const std::string_view> words) {
  result_.clear();
  while (!words.empty()) {
    const std::span<const std::string_view> piece = words.first(std::min(words.size(), kLongestPiece));
    tag_piece(spelling_(piece));
    words = words.subspan(piece.size());
  }
  return result_;
}

std::span<const std::string_view> SentenceTagger::Spelling::operator()(
    std::span<const std::string_view> words) {
  if (!maker.is_needed()) return words;
  spellings.clear();
  for (const std::string_view word : words) spellings.emplace_back(maker.token(word));
  views.assign(spellings.begin(), spellings.end());
  return views;
}

const KnownWord& SentenceTagger::known(std::string_view word) {
  const auto found = words_.find(word);
  if (found != words_.end()) return found->second;
  const std::size_t bytes = sizeof(KnownWord) + model_.tags.size() * kOffsets * sizeof(Score);
  if (words_.size() >= kMaxRememberedBytes / bytes) words_.clear();
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
    const std::span<const float> vector = table.find(spelling, spelling_.unicode);
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
    Score* const sums = piece_.scores.data() + static_cast<std::size_t>(target) * tags;
    for (std::size_t t = 0; t < tags; ++t) sums[t] += row[t];
  }
}

void SentenceTagger::add_local(std::span<const std::string_view> sentence) {
  const std::size_t tables = model_.classes.size();
  const auto length = static_cast<std::ptrdiff_t>(sentence.size());
  piece_.scores.assign(sentence.size() * model_.tags.size(), 0);
  piece_.coarse.resize(sentence.size() * tables);
  piece_.words.assign(sentence.size() + std::size_t{2} * kWindow, {boundary_.atoms, nullptr, false});
  for (std::ptrdiff_t edge = 1; edge <= kWindow; ++edge) {
    add_neighbour(boundary_, -edge, length);
    add_neighbour(boundary_, length - 1 + edge, length);
  }
  std::size_t capitals = 0;
  std::size_t with_small = 0;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const KnownWord& word = known(sentence[i]);
    add_neighbour(word, static_cast<std::ptrdiff_t>(i), length);
    std::copy(word.coarse.begin(), word.coarse.end(),
              piece_.coarse.begin() + static_cast<std::ptrdiff_t>(i * tables));
    piece_.words[i + kWindow] = {word.atoms, piece_.coarse.data() + i * tables, true};
    capitals += word.atoms.is_capital ? 1 : 0;
    with_small += word.atoms.has_small ? 1 : 0;
  }
  piece_.style = sentence_case(sentence.size(), capitals, with_small);
}

void SentenceTagger::mark(std::size_t length) {
  if (model_.names.empty()) return;
  piece_.hashes.clear();
  for (std::size_t i = 0; i < length; ++i) piece_.hashes.push_back(piece_.words[i + kWindow].atoms.lower);
  piece_.names.resize(model_.names.size());
  for (std::size_t list = 0; list < piece_.names.size(); ++list) {
    mark_names(model_.names[list], piece_.hashes, piece_.names[list]);
  }
}

// Hashes first, so that their places in the index are on their way when they are looked up.
void SentenceTagger::add_joint(std::size_t length) {
  const std::size_t tags = model_.tags.size();
  const bool is_plain = model_.tags.scheme() == TagScheme::plain;
  piece_.hashes.clear();
  piece_.hash_ends.clear();
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t before = piece_.hashes.size();
    if (model_.joint) {
      add_joint_features({std::span(piece_.words).subspan(i).first<kOffsets>(), piece_.style,
                          model_.classes.size(), is_plain},
                         piece_.hashes);
    }
    add_name_features(piece_.names, i, piece_.hashes);
    for (std::size_t h = before; h < piece_.hashes.size(); ++h) {
      model_.weights.index.prefetch(piece_.hashes[h] & model_.weights.mask);
    }
    piece_.hash_ends.push_back(piece_.hashes.size());
  }
  std::size_t h = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::span<Score> row = std::span(piece_.scores).subspan(i * tags, tags);
    for (; h < piece_.hash_ends[i]; ++h) model_.weights.add(piece_.hashes[h], row);
  }
}

void SentenceTagger::add(std::size_t i, History history, std::span<Score> scores) {
  if (model_.is_chain()) {
    const std::span<const std::int32_t> row = model_.transitions_from(history.before);
    for (std::size_t t = 0; t < scores.size(); ++t) scores[t] += row[t];
    return;
  }
  piece_.hashes.clear();
  add_history_features(history, piece_.words[i + kWindow].atoms, piece_.hashes);
  for (const Hash hash : piece_.hashes) model_.weights.add(hash, scores);
}

void SentenceTagger::tag_piece(std::span<const std::string_view> sentence) {
  add_local(sentence);
  mark(sentence.size());
  if (model_.joint || !model_.names.empty()) add_joint(sentence.size());
  const Lattice lattice = {model_.tags, sentence.size(), piece_.scores};
  if (model_.is_chain() && beam_ == 0) {
    chain_.decode(lattice, model_.transitions, piece_.tags);
  } else {
    decoder_.decode(lattice, *this, beam_, piece_.tags);
  }
  result_.insert(result_.end(), piece_.tags.begin(), piece_.tags.end());
}

}  // namespace firth::tagger
