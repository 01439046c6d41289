// Lower case and word boundaries of Unicode; the only place that knows ICU.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace firth::text {

/// What kind of letter a character is; letters of scripts without cases and titles count as lower case.
enum class LetterCase { none, lower, upper };
LetterCase letter_case(char32_t character) noexcept;

/// Not for several threads at once: each reader has its own.
class UnicodeWords {
 public:
  UnicodeWords();
  ~UnicodeWords();
  UnicodeWords(const UnicodeWords&) = delete;
  UnicodeWords& operator=(const UnicodeWords&) = delete;

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
};

}  // namespace firth::text
