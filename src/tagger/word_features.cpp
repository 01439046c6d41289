#include "tagger/word_features.hpp"

#include <algorithm>
#include <string>

namespace firth::tagger {
namespace {

enum Kind : std::uint64_t {
  kWord = 1,
  kLower,
  kShape,
  kLongShape,
  kPrefix,
  kSuffix,
  kClass,  // + number of the clustering, see class_kind()
};

enum JointKind : Hash {
  kLowerBefore = 101,
  kLowerAfter,
  kShapeBefore,
  kShapeAfter,
  kShapes,
  kCoarseAround,
};

enum HistoryKind : Hash {
  kTag = 201,
  kTwoTags,
  kTagLower,
  kTagShape,
};

constexpr std::size_t kLongestAffix = 4;
constexpr std::size_t kLongestShape = 24;

std::uint64_t class_kind(std::size_t number) {
  return kClass + (static_cast<std::uint64_t>(number) << 8U);
}

/// What stands for the class of a word that has none. Words without a class are like each other, too: rare,
/// or names, or not of the language.
Hash no_class(std::size_t number) {
  return hash_text(class_kind(number), "none");
}

/// A string shorter than a prefix is its own prefix. Features that always come together are one feature that
/// learns faster than the others: with three names for one class, the tagger believed classes too soon.
bool is_repeated(std::span<const std::string> row, std::size_t cuts, std::size_t i) {
  if (i <= cuts) return false;
  const std::span<const std::string> before = row.subspan(cuts, i - cuts);
  return std::find(before.begin(), before.end(), row[i]) != before.end();
}

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

char kind_of(char32_t c) {
  if (c >= '0' && c <= '9') return '9';
  if (c >= 'a' && c <= 'z') return 'x';
  if (c >= 'A' && c <= 'Z') return 'X';
  if (c < 0x80) return static_cast<char>(c);
  switch (text::letter_case(c)) {
    case text::LetterCase::upper:
      return 'X';
    case text::LetterCase::lower:
      return 'x';
    case text::LetterCase::none:
      break;
  }
  return 'u';
}

char32_t decode(std::string_view bytes) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(bytes[i]));
  };
  switch (bytes.size()) {
    case 1:
      return byte(0);
    case 2:
      return ((byte(0) & 0x1FU) << 6U) | (byte(1) & 0x3FU);
    case 3:
      return ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    default:
      return ((byte(0) & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) |
             (byte(3) & 0x3FU);
  }
}

/// The kind of every character ("Mc-42" is "Xx-99"), and with runs made one ("Xx-9").
struct Shapes {
  std::string all;
  std::string runs;
};

Shapes shapes_of(std::string_view word, std::span<const std::size_t> starts) {
  Shapes shapes;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : word.size();
    const char kind = kind_of(decode(word.substr(starts[i], std::min<std::size_t>(end - starts[i], 4))));
    if (shapes.all.size() < kLongestShape) shapes.all += kind;
    if (shapes.runs.empty() || shapes.runs.back() != kind) shapes.runs += kind;
    if (shapes.runs.size() == kLongestShape) break;
  }
  return shapes;
}

WordFeatures make_boundary() {
  WordFeatures features;
  const Hash hash = hash_text(kWord, "\n");
  features.atoms = {hash, hash, hash};
  features.near = {hash};
  features.far = {hash};
  return features;
}

}  // namespace

ClassTable make_class_table(const ClassSource& source, std::size_t number) {
  const ClassValues values = class_values(source.classes, source.features);
  ClassTable table = {ClassLexicon(source.classes.vocabulary(),
                                   {source.classes.classes().begin(), source.classes.classes().end()},
                                   source.features.unknown),
                      {0},
                      {}};
  for (const std::vector<std::string>& row : values.values) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (is_repeated(row, values.cuts, i)) continue;
      table.hashes.push_back(combine(hash_text(class_kind(number), values.names[i]), hash_text(0, row[i])));
    }
    table.first.push_back(static_cast<std::uint32_t>(table.hashes.size()));
  }
  return table;
}

const WordFeatures& WordFeaturizer::boundary() {
  static const WordFeatures kBoundary = make_boundary();
  return kBoundary;
}

void WordFeaturizer::make(std::string_view word, WordFeatures& features) {
  features.here.clear();
  features.near.clear();
  features.far.clear();
  features.coarse.clear();
  add_spelling(word, features);
  add_classes(word, features);
}

void WordFeaturizer::add_spelling(std::string_view word, WordFeatures& f) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (starts_character(word[i]) || i == 0) starts.push_back(i);
  }
  const Shapes shapes = shapes_of(word, starts);
  f.atoms = {hash_text(kWord, word), hash_text(kLower, unicode_.lower(word)), hash_text(kShape, shapes.runs)};
  f.here = {f.atoms.word, f.atoms.lower, f.atoms.shape, hash_text(kLongShape, shapes.all)};
  f.near = {f.atoms.word, f.atoms.lower, f.atoms.shape};
  f.far = {f.atoms.lower, f.atoms.shape};
  for (std::size_t length = 1; length <= kLongestAffix && length < starts.size(); ++length) {
    const Hash suffix = hash_text(kSuffix, word.substr(starts[starts.size() - length]));
    f.here.push_back(suffix);
    f.here.push_back(hash_text(kPrefix, word.substr(0, starts[length])));
    if (length == 3) f.near.push_back(suffix);
  }
}

void WordFeaturizer::add_classes(std::string_view word, WordFeatures& f) {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const ClassId c = tables_[i].lexicon.find(word, unicode_);
    const Hash none = no_class(i);
    const std::span<const Hash> hashes = c == kNoClass ? std::span(&none, 1) : tables_[i].features(c);
    for (std::vector<Hash>* list : {&f.here, &f.near, &f.far}) {
      list->insert(list->end(), hashes.begin(), hashes.end());
    }
    const bool has_coarse = c != kNoClass && !hashes.empty();
    f.coarse.push_back(!has_coarse ? 0 : hashes[std::min<std::size_t>(1, hashes.size() - 1)]);
  }
}

void add_joint_features(std::span<const WordView, kOffsets> faces, std::size_t tables,
                        std::vector<Hash>& hashes) {
  const WordView& here = faces[kWindow];
  const WordView& before = faces[kWindow - 1];
  const WordView& after = faces[kWindow + 1];
  hashes.push_back(combine(kLowerBefore, combine(before.atoms.lower, here.atoms.lower)));
  hashes.push_back(combine(kLowerAfter, combine(here.atoms.lower, after.atoms.lower)));
  hashes.push_back(combine(kShapeBefore, combine(before.atoms.shape, here.atoms.shape)));
  hashes.push_back(combine(kShapeAfter, combine(here.atoms.shape, after.atoms.shape)));
  hashes.push_back(
      combine(kShapes, combine(before.atoms.shape, combine(here.atoms.shape, after.atoms.shape))));
  for (std::size_t i = 0; i < tables; ++i) {
    if (here.coarse[i] == 0) continue;
    const Hash left = before.coarse != nullptr ? before.coarse[i] : 0;
    const Hash right = after.coarse != nullptr ? after.coarse[i] : 0;
    hashes.push_back(combine(kCoarseAround, combine(left, combine(here.coarse[i], right))));
  }
}

void add_history_features(History history, const WordHashes& word, std::vector<Hash>& hashes) {
  const Hash tag = mix(history.before + 1);
  hashes.push_back(combine(kTag, tag));
  hashes.push_back(combine(kTwoTags, combine(tag, mix(history.second + 1))));
  hashes.push_back(combine(kTagLower, combine(tag, word.lower)));
  hashes.push_back(combine(kTagShape, combine(tag, word.shape)));
}

}  // namespace firth::tagger
