#include "lm/arpa_read.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/parse_number.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "lm/emission.hpp"
#include "lm/model.hpp"
#include "lm/srilm_classes.hpp"
#include "lm/text_number.hpp"
#include "lm/trie_builder.hpp"
#include "text/line_reader.hpp"

namespace firth::lm {
namespace {

/// What an ARPA file says: its symbols, the special ones first, and its n-grams.
struct ArpaContent {
  std::vector<std::string> symbols;
  Trie trie;
};

/// Lines of the file and the numbers in them; what cannot be read is an error with its line.
class ArpaLines {
 public:
  ArpaLines(const std::string& path, const RunOptions& run) : lines_(path, run) {}

  [[noreturn]] void fail(const std::string& problem, const char* hint) const {
    throw InputError(lines_.where(), problem, hint);
  }

  const std::string& path() const { return lines_.path(); }
  std::uint64_t number() const { return lines_.line(); }

  /// Goes behind the line \data\; what is before it is a comment.
  void skip_to_data() {
    std::string_view text;
    do {
      if (!lines_.next(text))
        fail("no \\data\\ line", "this is not an ARPA file; a model is named before the text");
    } while (text::next_field(text) != "\\data\\");
  }

  /// The next line that is not blank.
  std::string_view next() {
    for (std::string_view text; lines_.next(text);) {
      std::string_view rest = text;
      if (!text::next_field(rest).empty()) return text;
    }
    fail("the file ends too early", "it is truncated: make or copy it again");
  }

  void check_heading(std::string_view text, std::string_view heading) const {
    const std::string_view found = text::next_field(text);
    if (found != heading) {
      fail(fmt::format("'{}' where '{}' is expected", found, heading),
           "the counts under \\data\\ and the n-grams must agree");
    }
  }

  /// Takes the first field.
  double read_probability(std::string_view& text) const {
    const std::string_view field = text::next_field(text);
    const double log10 = read_log(field, "log probability");
    if (log10 > 0) {
      fail(fmt::format("log probability {} is above 0", field),
           "a probability is at most 1: its logarithm at most 0");
    }
    return log10 <= kLogZero ? 0 : std::pow(10.0, log10);
  }

  /// Nothing else may follow.
  double read_backoff(std::string_view text) const {
    const std::string_view field = text::next_field(text);
    if (field.empty()) return 1;
    const double log10 = read_log(field, "back-off weight");
    if (log10 > kMaxBackoff)
      fail(fmt::format("back-off weight {} is too large", field), "write its base-10 logarithm");
    if (!text::next_field(text).empty())
      fail("more fields than the order allows", "write 'log10 words back-off'");
    return log10 <= kLogZero ? 0 : std::pow(10.0, log10);
  }

 private:
  static constexpr double kLogZero = -98;  // SRILM writes -99 for 0
  static constexpr double kMaxBackoff = 30;

  double read_log(std::string_view field, const char* what) const {
    const auto number = parse_number(field);
    if (!number || *number == std::numeric_limits<double>::infinity()) {
      fail(fmt::format("'{}' is not a {}", field, what), "write its base-10 logarithm");
    }
    return *number;
  }

  text::LineReader lines_;
};

/// The symbols of the unigrams, the special ones first.
class ArpaSymbols {
 public:
  ArpaSymbols() {
    for (const std::string_view special : {kUnknownName, kBeginName, kEndName}) add(special);
  }

  Symbol add(std::string_view name) {
    const std::string own(spelling_of(name));
    const auto [place, fresh] = numbers_.try_emplace(own, static_cast<Symbol>(names_.size()));
    if (fresh) names_.push_back(own);
    return place->second;
  }

  std::optional<Symbol> find(std::string_view name) const {
    const auto found = numbers_.find(std::string(spelling_of(name)));
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
  }

  std::vector<std::string> take() { return std::move(names_); }

 private:
  static std::string_view spelling_of(std::string_view name) {
    return name == "<UNK>" ? std::string_view(kUnknownName) : name;
  }

  std::vector<std::string> names_;
  std::unordered_map<std::string, Symbol> numbers_;
};

class ArpaReader {
 public:
  ArpaReader(const std::string& path, const RunOptions& run) : lines_(path, run), run_(run) {}

  ArpaContent read() {
    read_counts();
    for (std::size_t level = 1; level <= counts_.size(); ++level) read_level(level);
    lines_.check_heading(lines_.next(), "\\end\\");
    warn_about_sum();
    return {symbols_.take(), builder_.finish(run_.threads)};
  }

 private:
  void read_counts() {
    lines_.skip_to_data();
    std::string_view text;
    for (text = lines_.next(); text.starts_with("ngram"); text = lines_.next()) {
      const std::size_t equals = text.find('=');
      const auto order = parse_count(text.substr(5, equals == std::string_view::npos ? 0 : equals - 5));
      const auto count = parse_count(equals == std::string_view::npos ? "" : text.substr(equals + 1));
      if (!order || !count || *order != counts_.size() + 1)
        lines_.fail("a wrong count of n-grams", "write 'ngram 1=...', 'ngram 2=...', in order");
      if (*order > kMaxOrder)
        lines_.fail(fmt::format("order {} is too high", *order), "the highest possible is 6");
      counts_.push_back(*count);
    }
    if (counts_.empty()) lines_.fail("no counts of n-grams", "write 'ngram 1=...' under \\data\\");
    lines_.check_heading(text, heading(1));
  }

  static std::optional<std::uint64_t> parse_count(std::string_view text) {
    const std::optional<std::uint64_t> value = base::parse_number<std::uint64_t>(text::next_field(text));
    return text::next_field(text).empty() ? value : std::nullopt;
  }

  static std::string heading(std::size_t level) { return fmt::format("\\{}-grams:", level); }

  void read_level(std::size_t level) {
    if (level > 1) lines_.check_heading(lines_.next(), heading(level));
    std::vector<NgramRow> rows;
    for (std::uint64_t i = 0; i < counts_[level - 1]; ++i) {
      const std::string_view text = lines_.next();
      if (text.starts_with('\\')) {
        lines_.fail(fmt::format("{} {}-grams instead of {}", i, level, counts_[level - 1]),
                    "the counts under \\data\\ and the n-grams must agree");
      }
      rows.push_back(level == 1 ? read_unigram(text) : read_ngram(text, level));
    }
    if (level == 1) add_missing_special(rows);
    if (level > 1 && builder_.entries() + rows.size() > kMaxNodes)
      lines_.fail("too many n-grams", "prune the model");
    const auto twice = builder_.add_level(std::move(rows));
    if (!twice) return;
    throw InputError({lines_.path(), twice->line}, "this n-gram is there twice", "keep one of them");
  }

  NgramRow read_unigram(std::string_view text) {
    NgramRow row;
    row.line = lines_.number();
    row.probability = lines_.read_probability(text);
    const std::string_view field = text::next_field(text);
    if (field.empty()) lines_.fail("a unigram without a word", "write 'log10 word back-off'");
    row.symbol = symbols_.add(field);
    if (row.symbol == kBeginSymbol) row.probability = 0;  // context only, whatever the file says
    row.backoff = lines_.read_backoff(text);
    return row;
  }

  void add_missing_special(std::vector<NgramRow>& rows) {
    std::array<bool, kSpecialSymbols> there{};
    for (const NgramRow& row : rows) {
      if (row.symbol < kSpecialSymbols) there[row.symbol] = true;
    }
    for (Symbol symbol = 0; symbol < kSpecialSymbols; ++symbol) {
      if (!there[symbol]) rows.push_back({kRoot, symbol, 0, 1, 0});
    }
    for (const NgramRow& row : rows) unigram_sum_ += row.probability;
  }

  NgramRow read_ngram(std::string_view text, std::size_t level) {
    NgramRow row;
    row.line = lines_.number();
    row.probability = lines_.read_probability(text);
    std::array<Symbol, kMaxOrder> symbols{};
    for (std::size_t i = 0; i < level; ++i) {
      const std::string_view field = text::next_field(text);
      const std::optional<Symbol> found = symbols_.find(field);
      if (field.empty()) lines_.fail("fewer words than the order says", "write 'log10 words back-off'");
      if (!found) lines_.fail(fmt::format("word '{}' has no unigram", field), "add it to the 1-grams");
      symbols[i] = *found;
    }
    row.symbol = symbols[level - 1];
    const auto context = builder_.find(std::span(symbols).first(level - 1));
    if (!context) {
      lines_.fail("the context of this n-gram is not among the shorter n-grams",
                  "add it with its back-off weight");
    }
    row.parent = *context;
    row.backoff = level < counts_.size() ? lines_.read_backoff(text) : 1;
    if (level == counts_.size() && !text::next_field(text).empty()) {
      lines_.fail("more fields than the order allows",
                  "n-grams of the highest order have no back-off weight");
    }
    return row;
  }

  void warn_about_sum() const {
    if (std::abs(unigram_sum_ - 1) < 0.01) return;
    base::warn(run_,
               fmt::format("{}: the unigrams add up to {:.4g} instead of 1", lines_.path(), unigram_sum_));
  }

  ArpaLines lines_;
  const RunOptions& run_;
  std::vector<std::uint64_t> counts_;
  ArpaSymbols symbols_;
  TrieBuilder builder_;
  double unigram_sum_ = 0;
};

/// The words behind the symbols of an ARPA file over classes.
void set_component_classes(Component& component, const std::vector<std::string>& symbols,
                           const std::vector<WordClass>& classes, const std::string& path) {
  std::unordered_map<std::string_view, const WordClass*> by_name;
  for (const WordClass& own : classes) by_name.emplace(own.name, &own);
  std::vector<std::string> words;
  auto emissions = std::make_shared<EmissionStorage>();
  const auto add = [&](const std::string& word, std::size_t symbol, double probability) {
    words.push_back(word);
    emissions->class_of.push_back(static_cast<Symbol>(symbol));
    emissions->probability.push_back(probability);
  };
  std::size_t used = 0;
  for (std::size_t symbol = 0; symbol < symbols.size(); ++symbol) {
    const auto own = by_name.find(symbols[symbol]);
    if (own == by_name.end() || symbol < kSpecialSymbols) {
      add(symbols[symbol], symbol, 1);
      continue;
    }
    ++used;
    for (const ClassWord& word : own->second->words) add(word.word, symbol, word.probability);
  }
  if (used == 0)
    throw InputError({path}, "none of these classes is in the ARPA file",
                     "give the classes that it was made with");
  component.words = Names(words);
  if (component.words.has_repetition()) {
    throw InputError({path}, "a word of a class is in the ARPA file itself, too",
                     "Firth needs one class per word: take it out of the class or out of the n-grams");
  }
  component.classes = Names(symbols);
  component.class_of = emissions->class_of;
  component.emission = emissions->probability;
  component.owner = std::move(emissions);
}

}  // namespace

LanguageModel read_arpa(const std::string& path, const std::string& classes_path, const RunOptions& run) {
  ArpaContent content = ArpaReader(path, run).read();
  auto component = std::make_shared<Component>();
  component->trie = std::move(content.trie);
  component->boundaries = component->trie.arrays().probabilities[kEndSymbol] > 0;
  if (classes_path.empty()) {
    component->words = Names(content.symbols);
  } else {
    set_component_classes(*component, content.symbols, read_srilm_classes(classes_path, run), classes_path);
  }
  return LanguageModel(make_model(std::move(component)));
}

}  // namespace firth::lm
