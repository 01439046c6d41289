#include "tagger/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/files.hpp"
#include "base/internals.hpp"
#include "base/memory_file.hpp"
#include "base/section_file.hpp"
#include "base/string_table.hpp"
#include "firth/error.hpp"
#include "tagger/packed_file.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace tagger {
namespace {

constexpr base::FileKind kTaggerFile = {{'\x89', 'F', 'T', 'G', '\x20', '\r', '\n', '\x1a'},
                                        2,
                                        "tagger",
                                        "copy it again, or train it again with train_tagger()"};

enum SectionKind : std::uint32_t {
  kHead = 1,         // what follows, see Head
  kNameOffsets = 2,  // names of tags or types of entities
  kNameBytes = 3,
  kKnown = 4,     // hashes of the words of the training sentences
  kFeatures = 5,  // hashes of features
  kFirst = 6,     // where the weights of each begin
  kTags = 7,
  kValues = 8,
  kClassPolicy = 9,   // of each clustering: what is done with unknown words
  kWordOffsets = 10,  // words of a clustering or of vectors
  kWordBytes = 11,
  kClassOf = 12,
  kClassFirst = 13,
  kClassFeatures = 14,
  kDimensions = 15,  // of each set of vectors
  kVectors = 16,
  kVectorWeights = 17,
  kTransitions = 18,  // of a conditional random field, by tag before, then by tag
  kLevels = 19,       // of the words of a clustering: how often they were seen
  kNames = 20,        // hashes of the names of a list
  kBeginnings = 21,   // hashes of beginnings of such names
  kSpelling =
      22,  // how words are spelled before features are made, as text; left out if they stay as they are
};

/// The number of kClassPolicy: what is done with unknown words, and how the words of the clustering are spelled.
std::uint32_t policy_number(const ClassLexicon& lexicon) {
  return static_cast<std::uint32_t>(lexicon.unknown()) |
         static_cast<std::uint32_t>(lexicon.spelling().normalize) << 2U |
         (lexicon.spelling().lowercase ? 16U : 0U);
}

struct Head {
  std::uint32_t scheme;
  std::uint32_t beam;
  std::uint32_t classes;
  std::uint32_t vectors;
  std::uint32_t joint;      // 1: has features of several words
  std::uint32_t key_bytes;  // 8, or 4 for small models
  std::uint32_t names;
  std::uint32_t unused;
};

/// More clusterings or sets of vectors than anybody has.
constexpr std::uint32_t kMaxSources = 256;
constexpr std::size_t kMaxNames = 4096;
constexpr std::size_t kMaxDimensions = 1U << 16U;

/// Words that were read from a file; their counts are not kept there.
struct WordStorage {
  std::vector<std::uint64_t> offsets;
  std::string bytes;
  std::vector<Count> counts;
};

void read_hashes(base::SectionReader& sections, std::uint32_t kind, FeatureIndex& index) {
  const auto hashes = sections.take<Hash>(kind);
  if (hashes.size() >= FeatureIndex::kNone) sections.damaged("it has too many features or names");
  index.reserve(hashes.size());
  for (const Hash hash : hashes) index.find_or_add(hash);
  if (index.size() != hashes.size()) sections.damaged("a feature or name is in it twice");
}

/// Reads and checks. Large because every section of the file has a check of its own.
class ModelReader {
 public:
  ModelReader(const std::string& path, std::span<const std::byte> bytes)
      : sections_(path, bytes, kTaggerFile) {}

  std::shared_ptr<const Model> read() {
    const auto head = sections_.take<Head>(kHead);
    require(head.size() == 1 && head[0].scheme <= 2 && head[0].beam <= kMaxBeam &&
                head[0].classes <= kMaxSources && head[0].vectors <= kMaxSources && head[0].joint <= 1 &&
                (head[0].key_bytes == 4 || head[0].key_bytes == 8) && head[0].names <= kMaxSources &&
                head[0].unused == 0,
            "its head makes no sense");
    auto model = std::make_shared<Model>();
    model->beam = static_cast<int>(head[0].beam);
    model->joint = head[0].joint == 1;
    if (head[0].key_bytes == 4) model->weights.mask = kShortKey;
    read_spelling(*model);
    read_tags(head[0].scheme, *model);
    model->known_words = copy<Hash>(kKnown);
    require(std::is_sorted(model->known_words.begin(), model->known_words.end()),
            "its words are out of order");
    read_weights(*model);
    read_transitions(*model);
    for (std::uint32_t i = 0; i < head[0].classes; ++i) read_classes(*model);
    for (std::uint32_t i = 0; i < head[0].vectors; ++i) read_vectors(*model);
    for (std::uint32_t i = 0; i < head[0].names; ++i) {
      model->names.emplace_back();
      read_hashes(sections_, kNames, model->names.back().names);
      read_hashes(sections_, kBeginnings, model->names.back().beginnings);
    }
    sections_.finish();
    return model;
  }

 private:
  void require(bool right, const char* problem) const {
    if (!right) sections_.damaged(problem);
  }

  template <typename T>
  std::vector<T> copy(std::uint32_t kind) {
    const auto values = sections_.take<T>(kind);
    return {values.begin(), values.end()};
  }

  std::shared_ptr<WordStorage> read_words(std::uint32_t offsets_kind, std::uint32_t bytes_kind) {
    auto words = std::make_shared<WordStorage>();
    words->offsets = copy<std::uint64_t>(offsets_kind);
    const auto bytes = sections_.take<char>(bytes_kind);
    words->bytes.assign(bytes.begin(), bytes.end());
    const std::vector<std::uint64_t>& offsets = words->offsets;
    const bool fits = !offsets.empty() && offsets.size() < std::numeric_limits<WordId>::max() &&
                      base::are_offsets(offsets, bytes.size());
    require(fits, "its words do not fit");
    words->counts.assign(offsets.size() - 1, 0);
    return words;
  }

  static Vocabulary as_vocabulary(const std::shared_ptr<WordStorage>& words) {
    return {words->offsets, words->bytes, words->counts, words};
  }

  void read_spelling(Model& model) {
    if (!sections_.has(kSpelling)) return;
    const auto text = sections_.take<char>(kSpelling);
    const auto stored = text::parse_preprocessing({text.data(), text.size()});
    require(stored.has_value(), "its way with words is not known");
    model.spelling = *stored;
  }

  void read_tags(std::uint32_t scheme, Model& model) {
    const auto words = read_words(kNameOffsets, kNameBytes);
    const Vocabulary names = as_vocabulary(words);
    require(names.size() <= kMaxNames, "it has too many tags");
    std::set<std::string, std::less<>> sorted;
    for (WordId i = 0; i < names.size(); ++i) {
      require(!names.word(i).empty(), "a tag has no name");
      sorted.emplace(names.word(i));
    }
    require(sorted.size() == names.size(), "a tag is in it twice");
    constexpr TagScheme kSchemes[] = {TagScheme::plain, TagScheme::bio, TagScheme::bilou};
    model.tags = TagSet(kSchemes[scheme], {sorted.begin(), sorted.end()});
    require(model.tags.size() > 0, "it has no tags");
  }

  void read_weights(Model& model) {
    SparseWeights& weights = model.weights;
    read_hashes(sections_, kFeatures, weights.index);
    weights.first = copy<std::uint64_t>(kFirst);
    weights.tags = copy<TagId>(kTags);
    weights.values = copy<std::int32_t>(kValues);
    const bool fits = weights.first.size() == weights.index.size() + 1 && weights.first.front() == 0 &&
                      std::is_sorted(weights.first.begin(), weights.first.end()) &&
                      weights.first.back() == weights.tags.size() &&
                      weights.tags.size() == weights.values.size();
    require(fits, "its weights do not fit");
    for (const TagId tag : weights.tags)
      require(tag < model.tags.size(), "a weight is for a tag that is not there");
    for (const std::int32_t value : weights.values) {
      require(value >= -kMaxWeight && value <= kMaxWeight, "a weight is out of range");
    }
  }

  void read_transitions(Model& model) {
    model.transitions = copy<std::int32_t>(kTransitions);
    require(
        model.transitions.empty() || model.transitions.size() == (model.tags.size() + 1) * model.tags.size(),
        "its transitions do not fit");
    for (const std::int32_t value : model.transitions) {
      require(value >= -kMaxWeight && value <= kMaxWeight, "a weight is out of range");
    }
  }

  void read_classes(Model& model) {
    const auto policy = sections_.take<std::uint32_t>(kClassPolicy);
    require(policy.size() == 1 && policy[0] < 32 && (policy[0] & 3U) <= 2 && (policy[0] >> 2U & 3U) <= 2,
            "its way with unknown words is not known");
    const Preprocessing spelling = {.normalize = static_cast<Normalization>(policy[0] >> 2U & 3U),
                                    .lowercase = policy[0] >= 16};
    const auto words = read_words(kWordOffsets, kWordBytes);
    std::vector<ClassId> class_of = copy<ClassId>(kClassOf);
    const std::vector<std::uint32_t> first = copy<std::uint32_t>(kClassFirst);
    const std::vector<Hash> features = copy<Hash>(kClassFeatures);
    std::vector<std::uint8_t> levels = copy<std::uint8_t>(kLevels);
    const bool fits = class_of.size() == words->counts.size() &&
                      (levels.empty() || levels.size() == class_of.size()) && !first.empty() &&
                      first.front() == 0 && std::is_sorted(first.begin(), first.end()) &&
                      first.back() == features.size();
    require(fits, "its classes do not fit");
    for (const ClassId c : class_of)
      require(c + std::size_t{1} < first.size(), "a word has an impossible class");
    const Vocabulary vocabulary = as_vocabulary(words);
    model.classes.push_back({ClassLexicon(vocabulary, std::move(class_of),
                                          static_cast<UnknownWordClass>(policy[0] & 3U), spelling),
                             first, features, CaseCounts(vocabulary, std::move(levels))});
  }

  void read_vectors(Model& model) {
    const auto dimensions = sections_.take<std::uint64_t>(kDimensions);
    require(dimensions.size() == 1 && dimensions[0] > 0 && dimensions[0] <= kMaxDimensions,
            "its vectors have no possible length");
    const auto words = read_words(kWordOffsets, kWordBytes);
    VectorTable table(as_vocabulary(words), dimensions[0]);
    table.values = copy<float>(kVectors);
    table.weights = copy<float>(kVectorWeights);
    require(table.values.size() == words->counts.size() * dimensions[0] &&
                table.weights.size() == kVectorOffsets * dimensions[0] * model.tags.size(),
            "its vectors do not fit");
    for (const float x : table.values) require(std::isfinite(x), "a vector is not made of numbers");
    for (const float x : table.weights) require(std::isfinite(x), "a weight is not a number");
    model.vectors.push_back(std::move(table));
  }

  base::SectionReader sections_;
};

std::uint32_t scheme_number(TagScheme scheme) {
  if (scheme == TagScheme::plain) return 0;
  return scheme == TagScheme::bio ? 1 : 2;
}

/// Small values that sections refer to until the file is written.
struct Parts {
  Head head;
  std::string spelling;
  base::StringTable names;
  std::vector<std::uint32_t> policies;
  std::vector<std::uint64_t> dimensions;
};

template <typename T>
base::Section single(std::uint32_t kind, const T& value) {
  return base::make_section(kind, std::span(&value, 1));
}

void add_word_sections(const Vocabulary& words, std::vector<base::Section>& sections) {
  static constexpr std::uint64_t kNoOffset = 0;
  const auto offsets = words.offsets();
  sections.push_back(base::make_section(kWordOffsets, offsets.empty() ? std::span(&kNoOffset, 1) : offsets));
  sections.push_back(base::make_section(kWordBytes, words.bytes()));
}

void add_sources(const Model& model, const Parts& parts, std::vector<base::Section>& sections) {
  for (std::size_t i = 0; i < model.classes.size(); ++i) {
    const ClassTable& table = model.classes[i];
    sections.push_back(single(kClassPolicy, parts.policies[i]));
    add_word_sections(table.lexicon.words(), sections);
    sections.push_back(base::make_section(kClassOf, table.lexicon.classes()));
    sections.push_back(base::make_section(kClassFirst, table.first));
    sections.push_back(base::make_section(kClassFeatures, table.hashes));
    sections.push_back(base::make_section(kLevels, table.cases.levels()));
  }
  for (std::size_t i = 0; i < model.vectors.size(); ++i) {
    const VectorTable& table = model.vectors[i];
    sections.push_back(single(kDimensions, parts.dimensions[i]));
    add_word_sections(table.words, sections);
    sections.push_back(base::make_section(kVectors, table.values));
    sections.push_back(base::make_section(kVectorWeights, table.weights));
  }
  for (const NameTable& table : model.names) {
    sections.push_back(base::make_section(kNames, table.names.keys()));
    sections.push_back(base::make_section(kBeginnings, table.beginnings.keys()));
  }
}

Parts small_parts(const Model& model) {
  Parts parts;
  parts.head = {scheme_number(model.tags.scheme()),
                static_cast<std::uint32_t>(model.beam),
                static_cast<std::uint32_t>(model.classes.size()),
                static_cast<std::uint32_t>(model.vectors.size()),
                model.joint ? 1U : 0U,
                model.is_small() ? 4U : 8U,
                static_cast<std::uint32_t>(model.names.size()),
                0};
  if (model.spelling != Preprocessing{}) parts.spelling = text::describe(model.spelling);
  for (const std::string& name : model.tags.names()) {
    parts.names.add(name);
  }
  for (const ClassTable& table : model.classes) {
    parts.policies.push_back(policy_number(table.lexicon));
  }
  for (const VectorTable& table : model.vectors) parts.dimensions.push_back(table.dimensions);
  return parts;
}

/// Calls use(sections) while what they point to is there.
template <class Use>
void with_sections(const Model& model, const Use& use) {
  const Parts parts = small_parts(model);
  std::vector<base::Section> sections = {single(kHead, parts.head)};
  if (!parts.spelling.empty()) sections.push_back(base::make_section(kSpelling, parts.spelling));
  sections.insert(
      sections.end(),
      {base::make_section(kNameOffsets, parts.names.offsets()),
       base::make_section(kNameBytes, parts.names.bytes()), base::make_section(kKnown, model.known_words),
       base::make_section(kFeatures, model.weights.index.keys()),
       base::make_section(kFirst, model.weights.first), base::make_section(kTags, model.weights.tags),
       base::make_section(kValues, model.weights.values),
       base::make_section(kTransitions, model.transitions)});
  add_sources(model, parts, sections);
  use(sections);
}

}  // namespace

std::shared_ptr<const Model> read_model(const std::string& path, std::span<const std::byte> bytes) {
  if (!is_packed(bytes)) return ModelReader(path, bytes).read();
  const std::string unpacked = unpack(path, bytes);
  const base::MemoryFile file(unpacked);
  return ModelReader(path, file.bytes()).read();
}

}  // namespace tagger

void save_tagger(const std::string& path, const Tagger& tagger) {
  tagger::with_sections(base::internals(tagger), [&](const auto& sections) {
    if (!base::internals(tagger).is_small()) {
      return base::write_sections(path, tagger::kTaggerFile, sections);
    }
    tagger::with_packed(base::section_bytes(tagger::kTaggerFile, sections),
                        [&](const auto& packed) { base::write_sections(path, tagger::kPackedFile, packed); });
  });
}

Tagger load_tagger(const std::string& path) {
  const base::MappedFile file(path);
  return Tagger(tagger::read_model(path, file.bytes()));
}

std::string Tagger::to_bytes() const {
  std::string bytes;
  tagger::with_sections(
      *model_, [&](const auto& sections) { bytes = base::section_bytes(tagger::kTaggerFile, sections); });
  if (!model_->is_small()) return bytes;
  tagger::with_packed(bytes,
                      [&](const auto& packed) { bytes = base::section_bytes(tagger::kPackedFile, packed); });
  return bytes;
}

Tagger Tagger::from_bytes(std::string_view bytes) {
  const base::MemoryFile file(bytes);
  return Tagger(tagger::read_model(base::kMemoryName, file.bytes()));
}

}  // namespace firth
