// What a language model is made of.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "firth/class_lm.hpp"
#include "lm/names.hpp"
#include "lm/trie.hpp"

namespace firth::lm {

inline constexpr std::string_view kUnknownName = "<unk>";
inline constexpr std::string_view kBeginName = "<s>";
inline constexpr std::string_view kEndName = "</s>";

/// Words of each class, likeliest first.
struct Members {
  std::vector<std::uint64_t> first;  ///< of each symbol; one entry more than symbols
  std::vector<WordId> words;

  std::span<const WordId> of(Symbol symbol) const {
    return std::span(words).subspan(first[symbol], first[symbol + 1] - first[symbol]);
  }
};

/// One n-gram model over words, or over classes with p(word | class). In a word model the symbols are the
/// words.
struct Component {
  Names words;    ///< <unk>, <s>, </s>, then the others
  Names classes;  ///< empty in a word model; else names of the symbols, starting with the same three
  std::span<const Symbol> class_of;  ///< of each word; empty in a word model
  std::span<const double> emission;  ///< p(word | class); empty in a word model
  Trie trie;
  bool boundaries = true;
  std::optional<Preprocessing> preprocessing;  ///< of the training text
  std::shared_ptr<const void> owner;           ///< keeps class_of and emission alive

  bool has_classes() const noexcept { return !class_of.empty(); }
  Symbol symbol_of(WordId word) const noexcept { return has_classes() ? class_of[word] : word; }
  double emission_of(WordId word) const noexcept { return has_classes() ? emission[word] : 1; }
  const Names& symbol_names() const noexcept { return has_classes() ? classes : words; }

  Node begin_sentence() const noexcept { return boundaries ? trie.after(kBeginSymbol) : kRoot; }

  /// p(word | state) and the state after it.
  Step step(Node state, WordId word) const noexcept {
    Step result = trie.step(state, symbol_of(word));
    result.probability *= emission_of(word);
    return result;
  }

  Members members() const;
};

class ModelSuggester;

/// A component in a mixture: its weight, and its words for the words of the mixture.
struct Part {
  double weight = 1;
  std::shared_ptr<const Component> component;
  /// Word of the component for each word of the model, empty if they are the same.
  std::vector<WordId> words;
  /// What p(<unk>) of the component is divided by: it stands for that many words of the model.
  double unknown_words = 1;

  WordId word(WordId word) const noexcept { return words.empty() ? word : words[word]; }
  double share(WordId own_word) const noexcept {
    return own_word == LanguageModel::kUnknown ? 1 / unknown_words : 1;
  }
  Step step(Node state, WordId model_word) const noexcept {
    const WordId own = word(model_word);
    Step result = component->step(state, own);
    result.probability *= share(own);
    return result;
  }
};

/// A model: one part, or several with weights that add up to 1.
struct Model {
  Model();
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Names words;
  std::vector<Part> parts;

  /// Made when it is first asked for, as it takes time to prepare; one thread at a time.
  mutable std::mutex suggester_mutex;
  mutable std::unique_ptr<ModelSuggester> suggester;

  bool single() const noexcept { return parts.size() == 1; }
  const Component& first() const noexcept { return *parts.front().component; }
};

std::shared_ptr<const Model> make_model(std::shared_ptr<const Component> component);

/// Gives the likeliest symbols or words of a component, remembering what it needs to be fast. Not for several
/// threads at once.
class Suggester {
 public:
  explicit Suggester(const Component& component);

  /// The likeliest `max_words` symbols after `state`, best first, equal ones by number; <s> and, if asked, <unk>
  /// are left out.
  std::vector<LmWord> symbols(Node state, std::size_t max_words, bool with_unknown);
  /// The same with words; <unk> is left out.
  std::vector<LmWord> words(Node state, std::size_t max_words);

 private:
  std::vector<LmWord> class_words(Node state, std::size_t max_words);
  void collect(Node state, std::size_t max_words);

  const Component& component_;
  std::vector<Symbol> by_probability_;  ///< all symbols by unigram probability
  std::vector<std::uint32_t> mark_;     ///< of each symbol: the last call that met it
  std::uint32_t call_ = 0;
  std::vector<LmWord> found_;
  Members members_;
};

/// The likeliest words of a model, mixtures too.
class ModelSuggester {
 public:
  explicit ModelSuggester(const Model& model);
  std::vector<LmWord> words(const LmState& state, std::size_t max_words);
  /// The likeliest words that begin with `prefix`, without special ones.
  std::vector<LmWord> completions(const LmState& state, std::string_view prefix, std::size_t max_words);

 private:
  std::span<const WordId> words_with(std::string_view prefix);
  std::vector<LmWord> mixed_words(const LmState& state, std::size_t max_words);

  const Model& model_;
  std::vector<Suggester> parts_;
  std::vector<WordId> by_spelling_;  ///< all words but the special ones, by bytes; made when it is needed
  std::vector<std::vector<WordId>> model_word_;  ///< of each word of each part; kNoModelWord if it has none
};

}  // namespace firth::lm
