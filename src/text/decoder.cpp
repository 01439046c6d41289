#include "text/decoder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "firth/encoding.hpp"
#include "firth/error.hpp"

namespace firth {
namespace text {
namespace {

constexpr std::size_t kUndecodedBytes = std::size_t{1} << 15;
/// Half of a character, which no encoding gives: what ICU is told to put for what it cannot decode.
constexpr UChar kUndecoded = 0xdc00;
constexpr char kNotUtf8 = '\xff';
constexpr UChar32 kFirstControl = 0x80;
constexpr UChar32 kLastControl = 0x9f;

void mark_undecoded(const void* /*context*/, UConverterToUnicodeArgs* arguments, const char* /*bytes*/,
                    std::int32_t /*length*/, UConverterCallbackReason reason, UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;  // closing, resetting
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(arguments, &kUndecoded, 1, 0, status);
}

struct Close {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, Close>;

Converter open_converter(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(name.c_str(), &status));
  return U_SUCCESS(status) ? std::move(converter) : nullptr;
}

/// Whether the bytes from 0x80 to 0x9f are control characters, as in ISO 8859. No text has them, but the encodings of
/// Windows have letters, quotes and dashes there: such a byte says that the encoding is another one.
bool has_controls(UConverter* converter) {
  const UConverterType type = ucnv_getType(converter);
  if (type != UCNV_LATIN_1 && type != UCNV_SBCS) return false;
  constexpr char kByte = '\x80';
  constexpr UChar kControl = 0x80;
  std::array<UChar, 2> units{};
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t count = ucnv_toUChars(converter, units.data(), 2, &kByte, 1, &status);
  ucnv_reset(converter);
  return U_SUCCESS(status) && count == 1 && units[0] == kControl;
}

class Decoder final : public ByteSource {
 public:
  Decoder(const std::string& encoding, std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), converter_(open_converter(encoding)) {
    if (converter_ == nullptr) throw ResourceError("ICU cannot set up " + encoding, "check its installation");
    has_controls_ = has_controls(converter_.get());
    UErrorCode status = U_ZERO_ERROR;
    ucnv_setToUCallBack(converter_.get(), mark_undecoded, nullptr, nullptr, nullptr, &status);
  }

  std::size_t read(char* data, std::size_t size) override {
    while (used_ == text_.size() && !at_end_) refill();
    const std::size_t got = std::min(size, text_.size() - used_);
    std::memcpy(data, text_.data() + used_, got);
    used_ += got;
    return got;
  }

 private:
  void refill() {
    text_.clear();
    used_ = 0;
    const std::size_t got = source_->read(bytes_.data(), bytes_.size());
    at_end_ = got == 0;
    const char* from = bytes_.data();
    UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
    while (status == U_BUFFER_OVERFLOW_ERROR) {
      status = U_ZERO_ERROR;
      UChar* to = units_.data() + kept_;
      ucnv_toUnicode(converter_.get(), &to, units_.data() + units_.size(), &from, bytes_.data() + got,
                     nullptr, at_end_ ? 1 : 0, &status);
      add_units(static_cast<std::size_t>(to - units_.data()), at_end_ && status != U_BUFFER_OVERFLOW_ERROR);
    }
    // Each part that cannot be decoded was marked; what is left is half a character at the end of the file.
    if (U_FAILURE(status)) text_ += kNotUtf8;
  }

  // The first half of a character waits for the second one.
  void add_units(std::size_t count, bool last) {
    const UChar* const units = units_.data();
    std::size_t i = 0;
    kept_ = 0;
    while (i < count) {
      if (!last && i + 1 == count && U16_IS_LEAD(units_[i])) break;
      UChar32 character = 0;
      U16_NEXT(units, i, count, character);
      add(character);
    }
    if (i < count) units_[kept_++] = units_[i];
  }

  void add(UChar32 character) {
    const bool is_control = has_controls_ && character >= kFirstControl && character <= kLastControl;
    if (U_IS_SURROGATE(character) || is_control) {
      text_ += kNotUtf8;
      return;
    }
    std::array<char, U8_MAX_LENGTH> bytes{};
    char* const to = bytes.data();
    std::size_t size = 0;
    U8_APPEND_UNSAFE(to, size, character);
    text_.append(bytes.data(), size);
  }

  std::unique_ptr<ByteSource> source_;
  Converter converter_;
  std::array<char, kUndecodedBytes> bytes_{};
  std::array<UChar, kUndecodedBytes> units_{};
  std::size_t kept_ = 0;  // units of a character that is not complete
  std::string text_;
  std::size_t used_ = 0;
  bool at_end_ = false;
  bool has_controls_ = false;
};

}  // namespace

std::string canonical_encoding(const std::string& name) {
  if (name.empty()) return "";
  const Converter converter = open_converter(name);
  if (converter == nullptr) {
    throw UsageError(fmt::format("'{}' is not an encoding that is known", name),
                     fmt::format("known are {} and their other names", fmt::join(encoding_names(), ", ")));
  }
  UErrorCode status = U_ZERO_ERROR;
  const std::string canonical = ucnv_getName(converter.get(), &status);
  return canonical == "UTF-8" ? "" : canonical;
}

std::unique_ptr<ByteSource> make_decoder(const std::string& encoding, std::unique_ptr<ByteSource> source) {
  return std::make_unique<Decoder>(encoding, std::move(source));
}

}  // namespace text

std::vector<std::string> encoding_names() {
  std::vector<std::string> names;
  for (std::int32_t i = 0; i < ucnv_countAvailable(); ++i) {
    UErrorCode status = U_ZERO_ERROR;
    const char* const name = ucnv_getStandardName(ucnv_getAvailableName(i), "MIME", &status);
    if (name != nullptr) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace firth
