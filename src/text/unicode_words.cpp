#include "text/unicode_words.hpp"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "firth/error.hpp"

namespace firth::text {
namespace {

// Pieces such as "again," come up all the time, and asking ICU costs a microsecond.
constexpr std::size_t kRememberedPieces = std::size_t{1} << 16;
constexpr std::size_t kLongestRemembered = 64;
constexpr UChar32 kNoBreakMark = 0xfeff;

void check(UErrorCode status, const char* action) {
  if (U_FAILURE(status)) {
    throw ResourceError(std::string("ICU cannot ") + action + ": " + u_errorName(status),
                        "check the installation of ICU and its data");
  }
}

bool is_plain_word(std::string_view piece) {
  return std::all_of(piece.begin(), piece.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

bool is_white_space(std::string_view part) {
  const auto text = icu::UnicodeString::fromUTF8({part.data(), static_cast<std::int32_t>(part.size())});
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    if (u_isUWhiteSpace(c) == 0 && c != kNoBreakMark) return false;
  }
  return true;
}

constexpr std::size_t kLargestText = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 3;

/// ICU counts in 32 bits, and text may become three times as long.
void require_icu_size(std::string_view text, const char* what) {
  if (text.size() <= kLargestText) return;
  throw ResourceError(std::string(what) + " without white space is longer than 700 MB",
                      "split such text beforehand");
}

/// Whether a character has neither width nor meaning.
bool is_invisible(UChar32 c) {
  return c == 0xad || c == 0x200b || c == 0x2060 || c == kNoBreakMark;
}

/// Without invisible characters; white space of any kind becomes a blank.
icu::UnicodeString without_invisible(const icu::UnicodeString& text) {
  icu::UnicodeString repaired;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    if (!is_invisible(c)) repaired.append(u_isUWhiteSpace(c) != 0 ? UChar32{' '} : c);
  }
  return repaired;
}

/// What the compatible form and without_invisible() will change: letters that are only put together are not counted.
NormalizedCharacters count_changes(const icu::UnicodeString& text) {
  NormalizedCharacters changes;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    const bool is_variant = u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE) > U_DT_CANONICAL;
    if (is_invisible(c)) {
      ++changes.removed;
    } else if (is_variant || (c != ' ' && u_isUWhiteSpace(c) != 0)) {
      ++changes.replaced;
    }
  }
  return changes;
}

using Parts = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

}  // namespace

LetterCase letter_case(char32_t character) noexcept {
  const auto c = static_cast<UChar32>(character);
  if (u_isalpha(c) == 0) return LetterCase::none;
  return u_isupper(c) != 0 ? LetterCase::upper : LetterCase::lower;
}

struct UnicodeWords::Icu {
  UCaseMap* case_map = nullptr;
  std::unique_ptr<icu::BreakIterator> breaks;  ///< from the first piece on: they take long to make
  std::unordered_map<std::string, Parts> remembered;

  Parts parts(std::string_view piece);
};

UnicodeWords::UnicodeWords() : icu_(std::make_unique<Icu>()) {
  UErrorCode status = U_ZERO_ERROR;
  icu_->case_map = ucasemap_open("", 0, &status);
  check(status, "set up lower case");
}

UnicodeWords::~UnicodeWords() {
  ucasemap_close(icu_->case_map);
}

std::string_view UnicodeWords::normalize(std::string_view piece, Normalization form) {
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (form == Normalization::none || std::all_of(piece.begin(), piece.end(), ascii)) return piece;
  require_icu_size(piece, "a piece of text");
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = form == Normalization::nfc ? icu::Normalizer2::getNFCInstance(status)
                                                                  : icu::Normalizer2::getNFKCInstance(status);
  check(status, "set up normal forms");
  const auto text = icu::UnicodeString::fromUTF8({piece.data(), static_cast<std::int32_t>(piece.size())});
  const icu::UnicodeString normal = normalizer->normalize(text, status);
  check(status, "normalise text");
  if (form == Normalization::nfkc) changes_ += count_changes(text);
  normalized_.clear();
  (form == Normalization::nfkc ? without_invisible(normal) : normal).toUTF8String(normalized_);
  return normalized_;
}

std::string_view UnicodeWords::lower(std::string_view word) {
  const auto special = [](char c) { return static_cast<unsigned char>(c) >= 0x80 || (c >= 'A' && c <= 'Z'); };
  if (std::none_of(word.begin(), word.end(), special)) return word;
  const bool ascii =
      std::none_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (ascii) {
    lowered_.assign(word);
    for (char& c : lowered_) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    return lowered_;
  }
  require_icu_size(word, "a word");
  lowered_.resize(word.size() * 3);
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t size =
      ucasemap_utf8ToLower(icu_->case_map, lowered_.data(), static_cast<std::int32_t>(lowered_.size()),
                           word.data(), static_cast<std::int32_t>(word.size()), &status);
  check(status, "make lower case");
  lowered_.resize(static_cast<std::size_t>(size));
  return lowered_;
}

Parts UnicodeWords::Icu::parts(std::string_view piece) {
  UErrorCode status = U_ZERO_ERROR;
  if (breaks == nullptr) {
    breaks.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    check(status, "set up word boundaries");
  }
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, piece.data(), static_cast<std::int64_t>(piece.size()), &status);
  breaks->setText(&text, status);
  utext_close(&text);
  check(status, "split words");
  Parts found;
  std::int32_t begin = breaks->first();
  for (std::int32_t end = breaks->next(); end != icu::BreakIterator::DONE;
       begin = end, end = breaks->next()) {
    const auto offset = static_cast<std::uint32_t>(begin);
    const auto size = static_cast<std::uint32_t>(end - begin);
    if (!is_white_space(piece.substr(offset, size))) found.emplace_back(offset, size);
  }
  return found;
}

void UnicodeWords::split(std::string_view piece, const std::function<void(std::string_view)>& add) {
  if (is_plain_word(piece)) {
    add(piece);
    return;
  }
  if (piece.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw ResourceError("a piece of text without white space is longer than 2 GB",
                        "split such text beforehand");
  }
  if (piece.size() > kLongestRemembered) {
    for (const auto& [offset, size] : icu_->parts(piece)) add(piece.substr(offset, size));
    return;
  }
  if (icu_->remembered.size() >= kRememberedPieces) icu_->remembered.clear();
  const auto [found, is_new] = icu_->remembered.try_emplace(std::string(piece));
  if (is_new) found->second = icu_->parts(piece);
  for (const auto& [offset, size] : found->second) add(piece.substr(offset, size));
}

WordMaker::WordMaker(const TextOptions& options) : options_(options) {
  if (options.normalize != Normalization::none || options.lowercase || options.tokenize)
    unicode_ = std::make_unique<UnicodeWords>();
}

WordMaker::WordMaker(const Preprocessing& done)
    : WordMaker(TextOptions{.normalize = done.normalize, .lowercase = done.lowercase}) {}

std::string spelled(std::string_view token, const Preprocessing& done) {
  return std::string(WordMaker(done).token(token));
}

std::string_view WordMaker::normalized(std::string_view piece) {
  return unicode_->normalize(piece, options_.normalize);
}

void WordMaker::add_parts(std::string_view piece, const std::function<void(std::string_view)>& add) {
  const std::string_view word = options_.lowercase ? unicode_->lower(piece) : piece;
  if (options_.tokenize) {
    unicode_->split(word, add);
  } else {
    add(word);
  }
}

void WordMaker::words_of(std::string_view piece, const std::function<void(std::string_view)>& add) {
  if (!is_needed()) return add(piece);
  std::string_view rest = normalized(piece);
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.find(' '), rest.size());
    if (size > 0) add_parts(rest.substr(0, size), add);
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
}

std::string_view WordMaker::token(std::string_view token) {
  if (!is_needed()) return token;
  std::string_view word = normalized(token);
  if (word.find(' ') != std::string_view::npos) {
    buffer_.assign(word);
    std::replace(buffer_.begin(), buffer_.end(), ' ', '_');
    word = buffer_;
  }
  if (word.empty()) word = token;  // only invisible characters: still a token
  return options_.lowercase ? unicode_->lower(word) : word;
}

}  // namespace firth::text
