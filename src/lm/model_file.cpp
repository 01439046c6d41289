#include "lm/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/internals.hpp"
#include "base/memory_file.hpp"
#include "base/section_file.hpp"
#include "base/string_table.hpp"
#include "firth/error.hpp"
#include "lm/model.hpp"
#include "lm/trie_check.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace lm {
namespace {

constexpr std::uint32_t kPlainVersion = 1;
constexpr std::uint32_t kQuantizedVersion = 2;  // only of models with a quantised part

/// Both versions have the same beginning.
base::FileKind model_file(std::uint32_t version) {
  return {{'\x89', 'F', 'L', 'M', '\x20', '\r', '\n', '\x1a'},
          version,
          "language model",
          "copy it again, or train it again"};
}

/// The version of the file if this program knows it, else the newest that it knows.
std::uint32_t known_version(std::span<const std::byte> file) {
  const auto plain = static_cast<std::byte>(kPlainVersion);
  const std::size_t place = model_file(0).magic.size();
  return file.size() > place && file[place] == plain ? kPlainVersion : kQuantizedVersion;
}

enum SectionKind : std::uint32_t {
  kWeights = 1,       // one number a part
  kFlags = 2,         // of a part: 1 = boundaries, 2 = classes, 4 = quantised
  kWordOffsets = 3,   // of names: 64 bits each, one more than names
  kWordBytes = 4,     // all names, one after the other
  kClassOffsets = 5,  // class models only, as the next three
  kClassBytes = 6,
  kClassOf = 7,
  kEmission = 8,
  kLevels = 9,  // the arrays of the trie
  kSymbols = 10,
  kProbabilities = 11,  // quantised: those of single symbols
  kLinks = 12,
  kBackoffs = 13,  // not quantised
  kFirstChild = 14,
  kPreprocessing = 15,  // of the training text, as text; left out if it is not known
  kTable = 16,          // quantised only, as the next two: the values of probabilities
  kCodes = 17,          // of all entries but the single symbols, a byte each
  kShortBackoffs = 18,  // 32 bits each
};

constexpr std::uint64_t kHasBoundaries = 1;
constexpr std::uint64_t kHasClasses = 2;
constexpr std::uint64_t kIsQuantized = 4;
constexpr std::uint64_t kAllFlags = kHasBoundaries | kHasClasses | kIsQuantized;

/// Reads one part, and checks what it reads.
class PartReader {
 public:
  PartReader(base::SectionReader& sections, std::shared_ptr<const void> owner)
      : sections_(sections), owner_(std::move(owner)) {}

  std::shared_ptr<const Component> read() {
    const auto flags = sections_.take<std::uint64_t>(kFlags);
    require(flags.size() == 1 && flags[0] <= kAllFlags, "its flags make no sense");
    auto component = std::make_shared<Component>();
    component->boundaries = (flags[0] & kHasBoundaries) != 0;
    component->words = read_names(kWordOffsets, kWordBytes);
    component->owner = owner_;
    if ((flags[0] & kHasClasses) != 0) {
      component->classes = read_names(kClassOffsets, kClassBytes);
      component->class_of = sections_.take<Symbol>(kClassOf);
      component->emission = sections_.take<double>(kEmission);
      check_classes(*component);
    }
    component->trie = read_trie(component->symbol_names().size(), (flags[0] & kIsQuantized) != 0);
    if (sections_.has(kPreprocessing)) {
      const auto text = sections_.take<char>(kPreprocessing);
      component->preprocessing = text::parse_preprocessing({text.data(), text.size()});
    }
    return component;
  }

 private:
  void require(bool right, const char* problem) const {
    if (!right) sections_.damaged(problem);
  }

  Names read_names(std::uint32_t offsets_kind, std::uint32_t bytes_kind) {
    const auto offsets = sections_.take<std::uint64_t>(offsets_kind);
    const auto bytes = sections_.take<char>(bytes_kind);
    const bool fits = offsets.size() > kSpecialSymbols && offsets.size() < kMaxNodes &&
                      base::are_offsets(offsets, bytes.size());
    require(fits, "its words do not fit");
    Names names(offsets, {bytes.data(), bytes.size()}, owner_);
    const bool special = names[kUnknownSymbol] == kUnknownName && names[kBeginSymbol] == kBeginName &&
                         names[kEndSymbol] == kEndName;
    require(special, "its special words are missing");
    require(!names.has_repetition(), "a word is in it twice");
    return names;
  }

  void check_classes(const Component& component) const {
    const std::size_t classes = component.classes.size();
    const std::size_t words = component.words.size();
    require(component.class_of.size() == words && component.emission.size() == words,
            "its classes do not fit");
    std::vector<double> sums(classes, 0.0);
    for (WordId word = 0; word < words; ++word) {
      const Symbol own = component.class_of[word];
      const bool special = word < kSpecialSymbols || own < kSpecialSymbols;
      require(own < classes && (!special || own == word), "a word has an impossible class");
      require(is_probability(component.emission[word]), "a probability is out of range");
      sums[own] += component.emission[word];
    }
    for (const double sum : sums)
      require(std::abs(sum - 1) < 1e-3, "the words of a class do not add up to 1");
  }

  static bool is_probability(double p) { return p >= 0 && p <= 1 + 1e-9; }

  Probabilities read_probabilities(bool quantized) {
    const auto values = sections_.take<double>(kProbabilities);
    if (!quantized) return values;
    const auto table = sections_.take<double>(kTable);
    require(!table.empty(), "its table of probabilities is empty");
    return {values, table, sections_.take<std::uint8_t>(kCodes)};
  }

  Trie read_trie(std::size_t symbols, bool quantized) {
    TrieArrays a;
    a.level_begin = sections_.take<std::uint64_t>(kLevels);
    a.symbols = sections_.take<Symbol>(kSymbols);
    a.probabilities = read_probabilities(quantized);
    a.links = sections_.take<Node>(kLinks);
    if (quantized) {
      a.backoffs = sections_.take<float>(kShortBackoffs);
    } else {
      a.backoffs = sections_.take<double>(kBackoffs);
    }
    a.first_child = sections_.take<std::uint64_t>(kFirstChild);
    const char* const problem = problem_of(a, symbols);
    require(problem == nullptr, problem);
    return {a, owner_};
  }

  base::SectionReader& sections_;
  std::shared_ptr<const void> owner_;
};

/// Small sections of a part, which must outlive the writing.
struct PartHead {
  std::uint64_t flags = 0;
  std::string preprocessing;
};

PartHead head_of(const Component& c) {
  return {(c.boundaries ? kHasBoundaries : 0) | (c.has_classes() ? kHasClasses : 0) |
              (c.trie.is_quantized() ? kIsQuantized : 0),
          c.preprocessing ? text::describe(*c.preprocessing) : ""};
}

void add_part(const Component& c, const PartHead& head, std::vector<base::Section>& sections) {
  sections.push_back(base::make_section(kFlags, std::span(&head.flags, 1)));
  sections.push_back(base::make_section(kWordOffsets, c.words.offsets()));
  sections.push_back(base::make_section(kWordBytes, c.words.bytes()));
  if (c.has_classes()) {
    sections.push_back(base::make_section(kClassOffsets, c.classes.offsets()));
    sections.push_back(base::make_section(kClassBytes, c.classes.bytes()));
    sections.push_back(base::make_section(kClassOf, c.class_of));
    sections.push_back(base::make_section(kEmission, c.emission));
  }
  const TrieArrays& a = c.trie.arrays();
  sections.push_back(base::make_section(kLevels, a.level_begin));
  sections.push_back(base::make_section(kSymbols, a.symbols));
  sections.push_back(base::make_section(kProbabilities, a.probabilities.values()));
  if (c.trie.is_quantized()) {
    sections.push_back(base::make_section(kTable, a.probabilities.table()));
    sections.push_back(base::make_section(kCodes, a.probabilities.codes()));
  }
  sections.push_back(base::make_section(kLinks, a.links));
  sections.push_back(c.trie.is_quantized() ? base::make_section(kShortBackoffs, a.backoffs.short_values())
                                           : base::make_section(kBackoffs, a.backoffs.values()));
  sections.push_back(base::make_section(kFirstChild, a.first_child));
  if (!head.preprocessing.empty()) sections.push_back(base::make_section(kPreprocessing, head.preprocessing));
}

/// Calls use(kind of file, sections) while what they point to is there.
template <class Use>
void with_sections(const Model& model, const Use& use) {
  std::vector<double> weights;
  std::vector<PartHead> heads;
  for (const Part& part : model.parts) {
    weights.push_back(part.weight);
    heads.push_back(head_of(*part.component));
  }
  std::vector<base::Section> sections = {base::make_section(kWeights, weights)};
  for (std::size_t i = 0; i < heads.size(); ++i) add_part(*model.parts[i].component, heads[i], sections);
  const bool quantized = std::any_of(model.parts.begin(), model.parts.end(),
                                     [](const Part& part) { return part.component->trie.is_quantized(); });
  use(model_file(quantized ? kQuantizedVersion : kPlainVersion), sections);
}

}  // namespace

bool is_model_file(std::span<const std::byte> begin) {
  const auto magic = model_file(kPlainVersion).magic;
  return begin.size() >= magic.size() && std::memcmp(begin.data(), magic.data(), magic.size()) == 0;
}

LanguageModel read_model(const std::string& path, std::span<const std::byte> bytes,
                         const std::shared_ptr<const void>& owner) {
  base::SectionReader sections(path, bytes, model_file(known_version(bytes)));
  const auto weights = sections.take<double>(kWeights);
  if (weights.empty() || weights.size() > LmState::kMaxParts)
    sections.damaged("it has no possible number of parts");
  std::vector<LanguageModel> models;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    models.emplace_back(make_model(PartReader(sections, owner).read()));
  }
  sections.finish();
  if (models.size() == 1) return models.front();
  try {
    return mix_models(models, weights);
  } catch (const UsageError&) {
    sections.damaged("its parts do not fit together");
  }
}

}  // namespace lm

void save_lm(const std::string& path, const LanguageModel& model) {
  lm::with_sections(base::internals(model), [&](const auto& kind, const auto& sections) {
    base::write_sections(path, kind, sections);
  });
}

std::string LanguageModel::to_bytes() const {
  std::string bytes;
  lm::with_sections(
      *model_, [&](const auto& kind, const auto& sections) { bytes = base::section_bytes(kind, sections); });
  return bytes;
}

LanguageModel LanguageModel::from_bytes(std::string_view bytes) {
  auto file = std::make_shared<const base::MemoryFile>(bytes);
  return lm::read_model(base::kMemoryName, file->bytes(), file);
}

}  // namespace firth
