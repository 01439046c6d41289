#include "grammar/model_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "base/files.hpp"
#include "base/internals.hpp"
#include "base/memory_file.hpp"
#include "base/section_file.hpp"
#include "base/string_table.hpp"
#include "firth/error.hpp"
#include "grammar/model_head.hpp"
#include "grammar/word_sections.hpp"

namespace firth {
namespace grammar {
namespace {

constexpr base::FileKind kModelFile = {{'\x89', 'F', 'P', 'G', '\x20', '\r', '\n', '\x1a'},
                                       1,
                                       "grammar",
                                       "copy it again, or train it again with train_lpcfg()"};

enum SectionKind : std::uint32_t {
  kHead = 1,           // see Head
  kSymbolOffsets = 2,  // of names: 64 bits each, one more than names
  kSymbolBytes = 3,    // p or t, then the name
  kTerminalOffsets = 4,
  kTerminalBytes = 5,
  kWordOffsets = 6,
  kWordBytes = 7,
  kClusterOffsets = 8,
  kClusterBytes = 9,
  kStates = 10,  // from here on, the arrays of ModelArrays in order
  kRules = 11,
  kTensorBegin = 12,
  kTensors = 13,
  kLexical = 14,
  kVectorBegin = 15,
  kVectors = 16,
  kRootBegin = 17,
  kRoots = 18,
  kWordBegin = 19,
  kWordTags = 20,
  kClusterOf = 21,
  kCoarseOf = 22,
  kPlainRules = 23,  // from here on, those of PlainArrays: for the coarse grammar, then for the other
  kPlainProbabilities = 24,
  kPlainRoots = 25,
  kPlainPriors = 26,
  kPlainLexical = 27,
  kSpelling = 28,         // of the words, as text; left out if they stay as they are
  kClusterSpelling = 29,  // the same of the words of the clusters
};

constexpr std::size_t kMaxSymbols = 1U << 20;
constexpr std::uint32_t kMaxStates = 4096;

/// Reads and checks. Large because every section of the file has a check of its own.
class ModelReader {
 public:
  ModelReader(base::SectionReader& sections, std::shared_ptr<const void> owner) : sections_(sections) {
    model_->owner = std::move(owner);
  }

  std::shared_ptr<const ParserModel> read() {
    const auto heads = sections_.take<Head>(kHead);
    require(heads.size() == 1 && makes_sense(heads.front()), "its options make no sense");
    const Head& head = heads.front();
    model_->binarize = binarize_options(head);
    model_->spelling = take_spelling(sections_, kSpelling);
    model_->cluster_spelling = take_spelling(sections_, kClusterSpelling);
    for (const std::string& name : take_names(kSymbolOffsets, kSymbolBytes)) {
      require(name.starts_with('p') || name.starts_with('t'), "a symbol has no kind");
      const std::size_t before = model_->symbols.size();
      model_->symbols.intern(std::string_view(name).substr(1), name[0] == 't');
      require(model_->symbols.size() == before + 1, "a symbol is in it twice");
    }
    const std::vector<std::string> terminals = take_names(kTerminalOffsets, kTerminalBytes);
    require(head.own_words < terminals.size(), "it has no classes of words");
    model_->lexicon = Lexicon(terminals, head.own_words);
    require(model_->lexicon.size() == terminals.size(), "a word is in it twice");
    read_words(kWordOffsets, kWordBytes, model_->words);
    read_words(kClusterOffsets, kClusterBytes, model_->cluster_words);
    take_arrays();
    check_shared();
    check_grammar(model_->arrays);
    check_words();
    check_coarse();
    take_more_grammars(head.grammars);
    return model_;
  }

 private:
  void require(bool right, const char* problem) const {
    if (!right) sections_.damaged(problem);
  }

  std::vector<std::string> take_names(std::uint32_t offsets_kind, std::uint32_t bytes_kind) {
    const auto offsets = sections_.take<std::uint64_t>(offsets_kind);
    const auto bytes = sections_.take<char>(bytes_kind);
    require(base::are_offsets(offsets, bytes.size()), "its names do not fit");
    std::vector<std::string> names;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      names.emplace_back(bytes.data() + offsets[i], offsets[i + 1] - offsets[i]);
    }
    return names;
  }

  void read_words(std::uint32_t offsets_kind, std::uint32_t bytes_kind, treebank::Interner& words) {
    const std::vector<std::string> names = take_names(offsets_kind, bytes_kind);
    for (const std::string& name : names) words.intern(name);
    require(words.size() == names.size(), "a word is in it twice");
  }

  void take_arrays() {
    ModelArrays& a = model_->arrays;
    a.states = sections_.take<std::uint32_t>(kStates);
    a.rules = sections_.take<BinaryRule>(kRules);
    a.tensor_begin = sections_.take<std::uint64_t>(kTensorBegin);
    a.tensors = sections_.take<float>(kTensors);
    a.lexical = sections_.take<LexicalRule>(kLexical);
    a.vector_begin = sections_.take<std::uint64_t>(kVectorBegin);
    a.vectors = sections_.take<float>(kVectors);
    a.root_begin = sections_.take<std::uint64_t>(kRootBegin);
    a.roots = sections_.take<float>(kRoots);
    a.word_begin = sections_.take<std::uint64_t>(kWordBegin);
    a.word_tags = sections_.take<WordTag>(kWordTags);
    a.cluster_of = sections_.take<std::uint32_t>(kClusterOf);
    a.coarse_of = sections_.take<std::uint32_t>(kCoarseOf);
    take_plain(a.coarse);
    take_plain(a.plain);
  }

  void take_plain(PlainArrays& plain) {
    plain.rules = sections_.take<BinaryRule>(kPlainRules);
    plain.probabilities = sections_.take<float>(kPlainProbabilities);
    plain.roots = sections_.take<float>(kPlainRoots);
    plain.priors = sections_.take<float>(kPlainPriors);
    plain.lexical = sections_.take<float>(kPlainLexical);
  }

  // `begin` must be the running sums of size(item).
  template <typename Size>
  void check_begins(std::span<const std::uint64_t> begin, std::size_t items, std::size_t values,
                    const Size& size) const {
    require(begin.size() == items + 1 && begin.front() == 0, "its parameters do not fit");
    for (std::size_t i = 0; i < items; ++i) {
      require(begin[i + 1] >= begin[i] && begin[i + 1] - begin[i] == size(i), "its parameters do not fit");
    }
    require(begin.back() == values, "its parameters do not fit");
  }

  void check_rules(std::span<const BinaryRule> rules, std::size_t symbols) const {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const BinaryRule& rule = rules[i];
      require(rule.parent < symbols && rule.left < symbols && rule.right < symbols, "a rule has no symbol");
      require(i == 0 || key(rules[i - 1]) < key(rule), "its rules are out of order");
    }
  }

  static std::tuple<SymbolId, SymbolId, SymbolId> key(const BinaryRule& rule) {
    return {rule.left, rule.right, rule.parent};
  }

  void check_finite(std::span<const float> values) const {
    const bool finite = std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
    require(finite, "a parameter is not a number");
  }

  // Rules of both kinds, which all grammars share.
  void check_shared() const {
    const ModelArrays& a = model_->arrays;
    const std::size_t symbols = model_->symbols.size();
    require(symbols > 0 && symbols <= kMaxSymbols, "its symbols do not fit");
    check_rules(a.rules, symbols);
    for (const BinaryRule& rule : a.rules) {
      require(!model_->symbols.is_tag(rule.parent), "a tag has a rule for phrases");
    }
    for (std::size_t i = 0; i < a.lexical.size(); ++i) {
      const LexicalRule& rule = a.lexical[i];
      require(rule.tag < symbols && model_->symbols.is_tag(rule.tag), "a rule has no symbol");
      require(i == 0 || std::tie(a.lexical[i - 1].terminal, a.lexical[i - 1].tag) <
                            std::tie(rule.terminal, rule.tag),
              "its rules are out of order");
    }
  }

  // The states and parameters of one grammar.
  void check_grammar(const LatentArrays& a) const {
    const std::size_t symbols = model_->symbols.size();
    require(a.states.size() == symbols, "its symbols do not fit");
    for (const std::uint32_t states : a.states) {
      require(states > 0 && states <= kMaxStates, "a symbol has no possible number of states");
    }
    check_begins(a.tensor_begin, a.rules.size(), a.tensors.size(), [&](std::size_t i) {
      const BinaryRule& rule = a.rules[i];
      return std::uint64_t{a.states[rule.parent]} * a.states[rule.left] * a.states[rule.right];
    });
    check_begins(a.vector_begin, a.lexical.size(), a.vectors.size(),
                 [&](std::size_t i) { return std::uint64_t{a.states[a.lexical[i].tag]}; });
    check_begins(a.root_begin, symbols, a.roots.size(),
                 [&](std::size_t i) { return std::uint64_t{a.states[i]}; });
    for (const auto values : {a.tensors, a.vectors, a.roots}) check_finite(values);
  }

  // Further grammars: the same rules, other states and parameters.
  void take_more_grammars(std::uint64_t count) {
    require(count >= 1 && count <= kMaxGrammars, "its options make no sense");
    for (std::uint64_t i = 1; i < count; ++i) {
      LatentArrays a = model_->arrays;
      a.states = sections_.take<std::uint32_t>(kStates);
      a.tensor_begin = sections_.take<std::uint64_t>(kTensorBegin);
      a.tensors = sections_.take<float>(kTensors);
      a.vector_begin = sections_.take<std::uint64_t>(kVectorBegin);
      a.vectors = sections_.take<float>(kVectors);
      a.root_begin = sections_.take<std::uint64_t>(kRootBegin);
      a.roots = sections_.take<float>(kRoots);
      check_grammar(a);
      model_->more_grammars.push_back(a);
    }
  }

  void check_words() const {
    const ModelArrays& a = model_->arrays;
    require(a.word_begin.size() == model_->words.size() + 1 && a.word_begin.front() == 0 &&
                a.word_begin.back() == a.word_tags.size() &&
                std::is_sorted(a.word_begin.begin(), a.word_begin.end()),
            "the tags of words do not fit");
    for (const WordTag& tag : a.word_tags) {
      require(tag.lexical < a.lexical.size() && std::isfinite(tag.weight) && tag.weight >= 0,
              "the tags of words do not fit");
    }
    require(a.cluster_of.size() == model_->cluster_words.size(), "its clusters do not fit");
    const auto [first, last] = model_->rules_of(model_->any_word());
    std::size_t tags = 0;
    for (SymbolId symbol = 0; symbol < model_->symbols.size(); ++symbol) {
      tags += model_->symbols.is_tag(symbol) ? 1U : 0U;
    }
    require(tags > 0 && last - first == tags, "a tag has no words");
  }

  void check_coarse() const {
    const ModelArrays& a = model_->arrays;
    const std::size_t symbols = model_->symbols.size();
    require(
        a.coarse_of.size() == symbols && a.plain.roots.size() == symbols && a.coarse.roots.size() <= symbols,
        "its coarse grammar does not fit");
    for (const std::uint32_t symbol : a.coarse_of) {
      require(symbol < a.coarse.roots.size(), "its coarse grammar does not fit");
    }
    check_plain(a.coarse);
    check_plain(a.plain);
  }

  void check_plain(const PlainArrays& plain) const {
    const bool fits = plain.priors.size() == plain.roots.size() &&
                      plain.probabilities.size() == plain.rules.size() &&
                      plain.lexical.size() == model_->arrays.lexical.size();
    require(fits, "its coarse grammar does not fit");
    check_rules(plain.rules, plain.roots.size());
    for (const auto values : {plain.probabilities, plain.roots, plain.priors, plain.lexical}) {
      check_finite(values);
      const bool right = std::all_of(values.begin(), values.end(), [](float v) { return v >= 0; });
      require(right, "a probability is negative");
    }
  }

  base::SectionReader& sections_;
  std::shared_ptr<ParserModel> model_ = std::make_shared<ParserModel>();
};

void add_more_grammars(const ParserModel& m, std::vector<base::Section>& sections) {
  using base::make_section;
  for (const LatentArrays& o : m.more_grammars) {
    sections.insert(sections.end(),
                    {make_section(kStates, o.states), make_section(kTensorBegin, o.tensor_begin),
                     make_section(kTensors, o.tensors), make_section(kVectorBegin, o.vector_begin),
                     make_section(kVectors, o.vectors), make_section(kRootBegin, o.root_begin),
                     make_section(kRoots, o.roots)});
  }
}

/// Calls use(sections) while what they point to is there.
template <class Use>
void with_sections(const ParserModel& m, const Use& use) {
  const std::array<Head, 1> head = {head_of(m)};
  base::StringTable symbols;
  for (SymbolId i = 0; i < m.symbols.size(); ++i) {
    symbols.add(std::string(m.symbols.is_tag(i) ? "t" : "p").append(m.symbols.name(i)));
  }
  base::StringTable terminals;
  for (TerminalId i = 0; i < m.lexicon.size(); ++i) terminals.add(m.lexicon.name(i));
  const base::StringTable words = names_of(m.words);
  const base::StringTable clusters = names_of(m.cluster_words);
  const ModelArrays& a = m.arrays;
  using base::make_section;
  const std::string spelling = spelling_text(m.spelling);
  const std::string cluster_spelling = spelling_text(m.cluster_spelling);
  std::vector<base::Section> sections = {make_section(kHead, head)};
  if (!spelling.empty()) sections.push_back(make_section(kSpelling, spelling));
  if (!cluster_spelling.empty()) sections.push_back(make_section(kClusterSpelling, cluster_spelling));
  sections.insert(sections.end(), {make_section(kSymbolOffsets, symbols.offsets()),
                                   make_section(kSymbolBytes, symbols.bytes()),
                                   make_section(kTerminalOffsets, terminals.offsets()),
                                   make_section(kTerminalBytes, terminals.bytes()),
                                   make_section(kWordOffsets, words.offsets()),
                                   make_section(kWordBytes, words.bytes()),
                                   make_section(kClusterOffsets, clusters.offsets()),
                                   make_section(kClusterBytes, clusters.bytes()),
                                   make_section(kStates, a.states),
                                   make_section(kRules, a.rules),
                                   make_section(kTensorBegin, a.tensor_begin),
                                   make_section(kTensors, a.tensors),
                                   make_section(kLexical, a.lexical),
                                   make_section(kVectorBegin, a.vector_begin),
                                   make_section(kVectors, a.vectors),
                                   make_section(kRootBegin, a.root_begin),
                                   make_section(kRoots, a.roots),
                                   make_section(kWordBegin, a.word_begin),
                                   make_section(kWordTags, a.word_tags),
                                   make_section(kClusterOf, a.cluster_of),
                                   make_section(kCoarseOf, a.coarse_of)});
  for (const PlainArrays& plain : {a.coarse, a.plain}) {
    sections.insert(
        sections.end(),
        {make_section(kPlainRules, plain.rules), make_section(kPlainProbabilities, plain.probabilities),
         make_section(kPlainRoots, plain.roots), make_section(kPlainPriors, plain.priors),
         make_section(kPlainLexical, plain.lexical)});
  }
  add_more_grammars(m, sections);
  use(sections);
}

}  // namespace

std::shared_ptr<const ParserModel> read_parser_model(const std::string& path,
                                                     std::span<const std::byte> bytes,
                                                     std::shared_ptr<const void> owner) {
  base::SectionReader sections(path, bytes, kModelFile);
  auto model = ModelReader(sections, std::move(owner)).read();
  sections.finish();
  return model;
}

}  // namespace grammar

void save_lpcfg(const std::string& path, const Lpcfg& model) {
  grammar::with_sections(base::internals(model), [&](const auto& sections) {
    base::write_sections(path, grammar::kModelFile, sections);
  });
}

Lpcfg load_lpcfg(const std::string& path) {
  auto file = std::make_shared<base::MappedFile>(path);
  return Lpcfg(grammar::read_parser_model(path, file->bytes(), file));
}

std::string Lpcfg::to_bytes() const {
  std::string bytes;
  grammar::with_sections(
      *model_, [&](const auto& sections) { bytes = base::section_bytes(grammar::kModelFile, sections); });
  return bytes;
}

Lpcfg Lpcfg::from_bytes(std::string_view bytes) {
  auto file = std::make_shared<const base::MemoryFile>(bytes);
  return Lpcfg(grammar::read_parser_model(base::kMemoryName, file->bytes(), file));
}

}  // namespace firth
