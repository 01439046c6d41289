// Normal forms, lower case and word boundaries of Unicode. With decoder.hpp the only place that knows ICU.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "firth/text.hpp"

namespace firth::text {

/// What kind of letter a character is; letters of scripts without cases and titles count as lower case.
enum class LetterCase { none, lower, upper };
LetterCase letter_case(char32_t character) noexcept;

/// What Normalization::nfkc has done to characters.
struct NormalizedCharacters {
  std::uint64_t replaced = 0;  ///< ligatures, wide letters, odd spaces and the like
  std::uint64_t removed = 0;   ///< invisible: soft hyphens, zero-width spaces and the like

  NormalizedCharacters& operator+=(const NormalizedCharacters& other) noexcept {
    replaced += other.replaced;
    removed += other.removed;
    return *this;
  }
};

/// Not for several threads at once: each reader has its own.
class UnicodeWords {
 public:
  UnicodeWords();
  ~UnicodeWords();
  UnicodeWords(const UnicodeWords&) = delete;
  UnicodeWords& operator=(const UnicodeWords&) = delete;

  /// `piece` (valid UTF-8) normalised; may then have blanks in it, or be empty. The result is `piece` itself or
  /// lives until the next call.
  std::string_view normalize(std::string_view piece, Normalization form);
  /// What it has done so far.
  const NormalizedCharacters& normalized_characters() const noexcept { return changes_; }

  /// `word` (valid UTF-8) in lower case, by the rules of no particular language. The result is `word` itself
  /// or lives until the next call.
  std::string_view lower(std::string_view word);

  /// Calls `add` for the words of `piece` (valid UTF-8 without ASCII white space): what lies between word
  /// boundaries (Unicode Annex 29), punctuation included, without the pieces that are only white space.
  void split(std::string_view piece, const std::function<void(std::string_view)>& add);

 private:
  struct Icu;
  std::unique_ptr<Icu> icu_;
  std::string lowered_;
  std::string normalized_;
  NormalizedCharacters changes_;
};

/// Does to pieces of text what the options say.
class WordMaker {
 public:
  explicit WordMaker(const TextOptions& options);
  /// For tokens, which are not split: only how words are spelled.
  explicit WordMaker(const Preprocessing& done);

  /// Whether there is anything to do.
  [[nodiscard]] bool is_needed() const noexcept { return unicode_ != nullptr; }

  /// Calls `add` for the words of a piece of running text (valid UTF-8 without ASCII white space).
  void words_of(std::string_view piece, const std::function<void(std::string_view)>& add);

  /// The word that a token becomes, which is not split: blanks that normalisation makes are `_`. It lives until
  /// the next call.
  std::string_view token(std::string_view token);

  NormalizedCharacters normalized_characters() const {
    return unicode_ ? unicode_->normalized_characters() : NormalizedCharacters{};
  }

 private:
  std::string_view normalized(std::string_view piece);
  void add_parts(std::string_view piece, const std::function<void(std::string_view)>& add);

  TextOptions options_;
  std::unique_ptr<UnicodeWords> unicode_;
  std::string buffer_;
};

/// What WordMaker::token() makes of a token, without a maker to keep; any thread.
std::string spelled(std::string_view token, const Preprocessing& done);

}  // namespace firth::text
