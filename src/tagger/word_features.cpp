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
  kAlways,
  kClass,  // + number of the clustering, see class_kind()
};

enum JointKind : Hash {
  kLowerBefore = 101,
  kLowerAfter,
  kShapeBefore,
  kShapeAfter,
  kShapes,
  kCoarseAround,
  kFirstShape,
  kSentenceShape,
  kEndingBefore,
  kEndingAfter,
  kCoarseBefore,
  kCoarseAfter,
};

enum HistoryKind : Hash {
  kTag = 201,
  kTwoTags,
  kTagLower,
  kTagShape,
};

constexpr std::size_t kLongestAffix = 4;
constexpr std::size_t kLongestShape = 24;
constexpr std::size_t kEnding = 3;

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

/// The bytes at which characters begin.
std::vector<std::size_t> character_starts(std::string_view word) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (starts_character(word[i]) || i == 0) starts.push_back(i);
  }
  return starts;
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
  features.atoms = {hash, hash, hash, hash, false, false};
  features.near = {hash};
  features.far = {hash};
  return features;
}

/// A word between its neighbours, and where its features go.
struct Joint {
  const WordView& before;
  const WordView& here;
  const WordView& after;
  std::vector<Hash>& hashes;

  void add(JointKind kind, Hash value) const { hashes.push_back(combine(kind, value)); }
};

/// What a part of speech depends on: the word beside, by its ending and by its class. Entities became worse with it.
void add_grammar_features(const Joint& joint, std::size_t clusterings) {
  const WordView& here = joint.here;
  joint.add(kEndingBefore, combine(joint.before.atoms.ending, here.atoms.ending));
  joint.add(kEndingAfter, combine(here.atoms.ending, joint.after.atoms.ending));
  for (std::size_t i = 0; i < clusterings; ++i) {
    joint.add(kCoarseBefore, combine(joint.before.coarse_of(i) + i, here.atoms.lower));
    joint.add(kCoarseAfter, combine(here.atoms.lower, joint.after.coarse_of(i) + i));
  }
}

}  // namespace

std::string word_shape(std::string_view word) {
  return shapes_of(word, character_starts(word)).runs;
}

Hash lower_hash(std::string_view lower) {
  return hash_text(kLower, lower);
}

ClassTable make_class_table(const ClassSource& source, std::size_t number) {
  const ClassValues values = class_values(source.classes, source.features);
  ClassTable table = {
      ClassLexicon(source.classes.vocabulary(),
                   {source.classes.classes().begin(), source.classes.classes().end()},
                   source.features.unknown, source.classes.preprocessing().value_or(Preprocessing{})),
      {0},
      {},
      CaseCounts(source.classes.vocabulary(), levels_of(source.classes.vocabulary()))};
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
  std::vector<std::size_t> starts = character_starts(word);
  const Shapes shapes = shapes_of(word, starts);
  const std::string_view lower = unicode_.lower(word);
  starts = character_starts(lower);
  const std::size_t ending = starts.size() > kEnding ? starts[starts.size() - kEnding] : 0;
  f.atoms = {hash_text(kWord, word),         lower_hash(lower),
             hash_text(kShape, shapes.runs), hash_text(kSuffix, lower.substr(ending)),
             shapes.runs.starts_with('X'),   shapes.runs.find('x') != std::string::npos};
  f.here = {hash_text(kAlways, {}), f.atoms.word, f.atoms.lower, f.atoms.shape,
            hash_text(kLongShape, shapes.all)};
  f.near = {f.atoms.word, f.atoms.lower, f.atoms.shape};
  f.far = {f.atoms.lower, f.atoms.shape};
  for (std::size_t length = 1; length <= kLongestAffix && length < starts.size(); ++length) {
    const Hash suffix = hash_text(kSuffix, lower.substr(starts[starts.size() - length]));
    f.here.push_back(suffix);
    f.here.push_back(hash_text(kPrefix, lower.substr(0, starts[length])));
    if (length == kEnding) f.near.push_back(suffix);
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
    if (!tables_[i].cases.empty()) add_case(word, i, f);
  }
}

// "Will" at the beginning of a sentence is a name less often than "Rome": the raw text tells in which case the
// letters of a word are usual, for many more words than the training sentences have.
void WordFeaturizer::add_case(std::string_view word, std::size_t table, WordFeatures& f) {
  const CaseCounts::Seen seen = tables_[table].cases.find(word, unicode_.lower(word));
  const Hash ratio = combine(hash_text(class_kind(table), "case"), mix(static_cast<Hash>(seen.ratio) + 100));
  f.here.push_back(ratio);
  f.here.push_back(combine(ratio, f.atoms.shape));
  f.here.push_back(
      combine(hash_text(class_kind(table), "frequency"), mix(static_cast<Hash>(seen.frequency) + 1)));
  f.near.push_back(ratio);
}

SentenceCase sentence_case(std::size_t words, std::size_t capitals, std::size_t with_small) {
  if (with_small == 0) return SentenceCase::no_small_letters;
  return 2 * capitals > words ? SentenceCase::mostly_capitals : SentenceCase::usual;
}

void add_joint_features(const JointView& view, std::vector<Hash>& hashes) {
  const Joint joint{view.window[kWindow - 1], view.window[kWindow], view.window[kWindow + 1], hashes};
  const WordView& before = joint.before;
  const WordView& here = joint.here;
  const WordView& after = joint.after;
  joint.add(kLowerBefore, combine(before.atoms.lower, here.atoms.lower));
  joint.add(kLowerAfter, combine(here.atoms.lower, after.atoms.lower));
  joint.add(kShapeBefore, combine(before.atoms.shape, here.atoms.shape));
  joint.add(kShapeAfter, combine(here.atoms.shape, after.atoms.shape));
  joint.add(kShapes, combine(before.atoms.shape, combine(here.atoms.shape, after.atoms.shape)));
  joint.add(kFirstShape, combine(before.is_word ? 1 : 2, here.atoms.shape));
  joint.add(kSentenceShape, combine(static_cast<Hash>(view.sentence) + 1, here.atoms.shape));
  if (view.is_plain) add_grammar_features(joint, view.tables);
  for (std::size_t i = 0; i < view.tables; ++i) {
    if (here.coarse[i] == 0) continue;
    joint.add(kCoarseAround, combine(before.coarse_of(i), combine(here.coarse[i], after.coarse_of(i))));
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
