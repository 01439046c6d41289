#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "tagger/model.hpp"

namespace firth {
namespace tagger {
namespace {

/// Longer sentences are tagged piece by piece, so that memory stays small.
constexpr std::size_t kLongestPiece = 20000;
/// Scores of words that are kept, in bytes.
constexpr std::size_t kMostRemembered = std::size_t{64} << 20U;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return XXH3_64bits(text.data(), text.size()); }
};

/// What is the same wherever a word stands: the scores that its own features give to the word itself and to
/// its neighbours.
struct KnownWord {
  WordAtoms atoms;
  std::vector<Hash> fine;
  std::vector<Hash> coarse;
  std::vector<Score> scores;  // by offset from the word that is tagged, then by tag
};

}  // namespace
}  // namespace tagger

using namespace tagger;

struct TagSession::State final : public HistoryScorer {
  State(const Tagger& chosen, int width)
      : tagger(chosen), model(chosen.internals()), beam(width), featurizer(model.classes) {
    prepare(WordFeaturizer::boundary(), {}, boundary);
  }

  void tag_piece(std::span<const std::string_view> words);
  void add(std::size_t i, History history, std::span<Score> scores) override;

  const KnownWord& known(std::string_view word);
  void prepare(const WordFeatures& word, std::string_view spelling, KnownWord& entry);
  void add_local(std::span<const std::string_view> words);
  void add_neighbour(const KnownWord& word, std::ptrdiff_t at, std::ptrdiff_t length);
  void add_joint(std::size_t length);

  Tagger tagger;
  const Model& model;
  int beam;
  WordFeaturizer featurizer;
  corpus::UnicodeWords unicode;
  std::unordered_map<std::string, KnownWord, TextHash, std::equal_to<>> words;
  KnownWord boundary;
  WordFeatures features;
  std::vector<WordFace> faces;  // with one boundary or more at each end
  std::vector<Hash> fine;
  std::vector<Hash> coarse;
  std::vector<Score> local;
  std::vector<Hash> hashes;
  std::vector<std::size_t> hash_ends;
  Decoder decoder;
  std::vector<TagId> piece;
  std::vector<TagId> result;
  std::vector<TagParts> parts;
};

const KnownWord& TagSession::State::known(std::string_view word) {
  const auto found = words.find(word);
  if (found != words.end()) return found->second;
  const std::size_t bytes = sizeof(KnownWord) + model.tags.size() * kOffsets * sizeof(Score);
  if (words.size() >= kMostRemembered / bytes) words.clear();
  KnownWord& entry = words[std::string(word)];
  featurizer.make(word, features);
  prepare(features, word, entry);
  return entry;
}

void TagSession::State::prepare(const WordFeatures& word, std::string_view spelling, KnownWord& entry) {
  const std::size_t tags = model.tags.size();
  entry.atoms = word.atoms;
  entry.fine = word.fine;
  entry.coarse = word.coarse;
  entry.scores.assign(kOffsets * tags, 0);
  for (int offset = -kWindow; offset <= kWindow; ++offset) {
    const std::span<Score> row =
        std::span(entry.scores).subspan(static_cast<std::size_t>(offset + kWindow) * tags, tags);
    for (const Hash hash : word.at(offset)) model.weights.add(at_offset(hash, offset), row);
  }
  if (spelling.empty()) return;
  std::vector<float> sums(tags);
  for (const VectorTable& table : model.vectors) {
    const std::span<const float> vector = table.find(spelling, unicode);
    if (vector.empty()) continue;
    for (std::size_t offset = 0; offset < kVectorOffsets; ++offset) {
      multiply(vector, table.weights_at(offset, tags), sums);
      Score* const row = entry.scores.data() + (offset + kWindow - kVectorWindow) * tags;
      for (std::size_t t = 0; t < tags; ++t) row[t] += vector_score(sums[t]);
    }
  }
}

// The word at `at` (before, in or after the sentence) gives its scores to all words that see it.
void TagSession::State::add_neighbour(const KnownWord& word, std::ptrdiff_t at, std::ptrdiff_t length) {
  const std::size_t tags = model.tags.size();
  for (std::ptrdiff_t offset = -kWindow; offset <= kWindow; ++offset) {
    const std::ptrdiff_t target = at - offset;
    if (target < 0 || target >= length) continue;
    const Score* const row = word.scores.data() + static_cast<std::size_t>(offset + kWindow) * tags;
    Score* const sums = local.data() + static_cast<std::size_t>(target) * tags;
    for (std::size_t t = 0; t < tags; ++t) sums[t] += row[t];
  }
}

void TagSession::State::add_local(std::span<const std::string_view> sentence) {
  const std::size_t tables = model.classes.size();
  const auto length = static_cast<std::ptrdiff_t>(sentence.size());
  local.assign(sentence.size() * model.tags.size(), 0);
  fine.resize(sentence.size() * tables);
  coarse.resize(sentence.size() * tables);
  faces.assign(sentence.size() + 2 * kWindow, {boundary.atoms, nullptr, nullptr});
  for (std::ptrdiff_t edge = 1; edge <= kWindow; ++edge) {
    add_neighbour(boundary, -edge, length);
    add_neighbour(boundary, length - 1 + edge, length);
  }
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const KnownWord& word = known(sentence[i]);
    add_neighbour(word, static_cast<std::ptrdiff_t>(i), length);
    std::copy(word.fine.begin(), word.fine.end(), fine.begin() + static_cast<std::ptrdiff_t>(i * tables));
    std::copy(word.coarse.begin(), word.coarse.end(),
              coarse.begin() + static_cast<std::ptrdiff_t>(i * tables));
    faces[i + kWindow] = {word.atoms, fine.data() + i * tables, coarse.data() + i * tables};
  }
}

// Hashes first, so that their places in the index are on their way when they are looked up.
void TagSession::State::add_joint(std::size_t length) {
  const std::size_t tags = model.tags.size();
  hashes.clear();
  hash_ends.clear();
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t before = hashes.size();
    add_joint_features(std::span(faces).subspan(i).first<kOffsets>(), model.classes.size(), hashes);
    for (std::size_t h = before; h < hashes.size(); ++h) model.weights.index.prefetch(hashes[h]);
    hash_ends.push_back(hashes.size());
  }
  std::size_t h = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::span<Score> row = std::span(local).subspan(i * tags, tags);
    for (; h < hash_ends[i]; ++h) model.weights.add(hashes[h], row);
  }
}

void TagSession::State::add(std::size_t i, History history, std::span<Score> scores) {
  hashes.clear();
  add_history_features(history, faces[i + kWindow], model.classes.size(), hashes);
  for (const Hash hash : hashes) model.weights.add(hash, scores);
}

void TagSession::State::tag_piece(std::span<const std::string_view> sentence) {
  add_local(sentence);
  add_joint(sentence.size());
  decoder.decode({model.tags, sentence.size(), local}, *this, beam, piece);
  result.insert(result.end(), piece.begin(), piece.end());
}

TagSession::TagSession(const Tagger& tagger, const TagOptions& options) {
  if (options.beam < -1 || options.beam > kMostBeam) {
    throw UsageError("the beam is out of range", "give 1 (greedy) to 10000, or 0 for an exact search");
  }
  state_ = std::make_unique<State>(tagger, options.beam == -1 ? tagger.beam() : options.beam);
}

TagSession::~TagSession() = default;
TagSession::TagSession(TagSession&&) noexcept = default;
TagSession& TagSession::operator=(TagSession&&) noexcept = default;

std::span<const TagId> TagSession::tag(std::span<const std::string_view> words) {
  state_->result.clear();
  while (!words.empty()) {
    const std::span<const std::string_view> piece = words.first(std::min(words.size(), kLongestPiece));
    state_->tag_piece(piece);
    words = words.subspan(piece.size());
  }
  return state_->result;
}

void TagSession::tag_names(std::span<const std::string_view> words, TagScheme scheme,
                           std::vector<std::string>& names) {
  const TagSet& tags = state_->model.tags;
  const std::span<const TagId> found = tag(words);
  names.clear();
  if (tags.scheme() == TagScheme::plain) {
    for (const TagId tag : found) names.push_back(tags.name(tag));
    return;
  }
  state_->parts.clear();
  for (const TagId tag : found) state_->parts.push_back(tags.parts(tag));
  recode_tags(state_->parts, scheme == TagScheme::automatic ? TagScheme::bio : scheme, names);
}

}  // namespace firth
