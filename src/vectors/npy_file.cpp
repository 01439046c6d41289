#include "vectors/npy_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "base/mark_before.hpp"
#include "base/npy_header.hpp"
#include "base/transaction.hpp"
#include "firth/error.hpp"
#include "text/line_walk.hpp"
#include "text/utf8.hpp"
#include "vectors/file_bytes.hpp"

namespace firth::vectors {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::string_view kMagic = "\x93NUMPY";

/// What the header of a .npy file says.
struct Shape {
  std::size_t scalar_bytes = 0;
  bool by_columns = false;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t header_end = 0;  ///< where the numbers begin
};

/// The text after `'key':`, without leading spaces; nothing if the key is missing.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool parse_shape(std::string_view value, Shape& shape) {
  if (!value.starts_with('(')) return false;
  value.remove_prefix(1);
  if (!take_number(value, shape.rows) || !value.starts_with(',')) return false;
  value.remove_prefix(1);
  return take_number(value, shape.columns) && value.starts_with(')');
}

/// Where the dictionary of the header begins and how long it is; versions 1, 2 and 3 of the format.
std::optional<std::pair<std::size_t, std::size_t>> header_place(std::string_view bytes) {
  if (bytes.size() < 12 || !bytes.starts_with(kMagic)) return std::nullopt;
  const auto version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) return std::nullopt;
  std::size_t length = 0;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  const std::size_t begin = 8 + length_bytes;
  if (length > bytes.size() - begin) return std::nullopt;
  return std::pair(begin, length);
}

Shape read_header(std::string_view bytes, const std::string& path) {
  const auto place = header_place(bytes);
  if (!place) throw InputError({path}, "not a .npy file, or cut off");
  const std::string_view header = bytes.substr(place->first, place->second);
  Shape shape;
  shape.header_end = place->first + place->second;
  const auto type = value_of(header, "descr");
  const auto order = value_of(header, "fortran_order");
  const auto size = value_of(header, "shape");
  const char width = type && type->size() > 4 ? (*type)[3] : '\0';
  const bool known = type && (type->starts_with("'<f") || type->starts_with("'=f")) &&
                     (width == '2' || width == '4' || width == '8') && (*type)[4] == '\'';
  if (!known || !order || !size || !parse_shape(*size, shape) || shape.columns == 0) {
    throw InputError({path}, "not a matrix of float16, float32 or float64",
                     "save a two-dimensional little-endian array of one of these types");
  }
  shape.scalar_bytes = static_cast<std::size_t>(width - '0');
  shape.by_columns = order->starts_with("True");
  return shape;
}

/// IEEE 754 half precision.
float half_to_float(std::uint16_t half) {
  const unsigned exponent = (half >> 10) & 0x1fU;
  const auto fraction = static_cast<float>(half & 0x3ffU);
  const float sign = (half & 0x8000U) != 0 ? -1.0F : 1.0F;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VALF : NAN;
  return sign * std::ldexp(fraction + 1024.0F, static_cast<int>(exponent) - 25);
}

float number_at(const char* data, std::size_t scalar_bytes) {
  if (scalar_bytes == 2) {
    std::uint16_t half = 0;
    std::memcpy(&half, data, sizeof half);
    return half_to_float(half);
  }
  if (scalar_bytes == 4) {
    float value = 0;
    std::memcpy(&value, data, sizeof value);
    return value;
  }
  double value = 0;
  std::memcpy(&value, data, sizeof value);
  return static_cast<float>(value);
}

std::vector<float> read_numbers(std::string_view numbers, const Shape& shape) {
  std::vector<float> values(shape.rows * shape.columns);
  if (shape.scalar_bytes == sizeof(float) && !shape.by_columns) {
    if (!numbers.empty()) std::memcpy(values.data(), numbers.data(), numbers.size());
    return values;
  }
  for (std::size_t row = 0; row < shape.rows; ++row) {
    for (std::size_t column = 0; column < shape.columns; ++column) {
      const std::size_t at = shape.by_columns ? column * shape.rows + row : row * shape.columns + column;
      values[row * shape.columns + column] =
          number_at(numbers.data() + at * shape.scalar_bytes, shape.scalar_bytes);
    }
  }
  return values;
}

/// Whether the bytes of the file can be used as they are.
bool is_as_in_memory(std::string_view numbers, const Shape& shape) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(float) == 0;
  return aligned && !numbers.empty() && shape.scalar_bytes == sizeof(float) && !shape.by_columns;
}

NamedRows read_matrix(const std::string& path, const RunOptions& run) {
  const auto file = std::make_shared<const FileBytes>(path, run);
  const Shape shape = read_header(file->view(), path);
  const std::string_view numbers = file->view().substr(shape.header_end);
  const std::size_t row_bytes = shape.columns * shape.scalar_bytes;
  const bool fits = shape.columns <= numbers.size() && numbers.size() % row_bytes == 0 &&
                    numbers.size() / row_bytes == shape.rows;
  if (!fits && !(shape.rows == 0 && numbers.empty())) {
    throw InputError({path}, fmt::format("the file does not have {} x {} numbers", shape.rows, shape.columns),
                     "it may be cut off");
  }
  if (file->mapped() && is_as_in_memory(numbers, shape)) {
    const std::span rows(reinterpret_cast<const float*>(numbers.data()), numbers.size() / sizeof(float));
    return {path, shape.columns, {}, {}, rows, file};
  }
  return {path, shape.columns, {}, read_numbers(numbers, shape)};
}

/// `word` or `word TAB count` per line.
void read_words(const std::string& path, const RunOptions& run, NamedRows& rows) {
  const FileBytes file(path, run);
  std::string_view bytes = file.view();
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  const std::size_t expected = rows.numbers().size() / rows.dimensions;
  text::for_each_line(bytes, [&](std::string_view line) {
    const std::uint64_t number = rows.words.size() + 1;
    if (text::check_text(line).fault != text::TextFault::none)
      throw InputError({path, number}, "broken UTF-8");
    const std::size_t tab = line.rfind('\t');
    Count count = expected >= number ? expected - number + 1 : 1;
    if (tab != std::string_view::npos) {
      std::string_view field = line.substr(tab + 1);
      if (!take_number(field, count) || !field.empty()) {
        throw InputError({path, number}, "not a word, or a word, a tab and a count");
      }
    }
    const std::string_view word = line.substr(0, tab);
    if (word.empty()) throw InputError({path, number}, "an empty word");
    rows.words.emplace_back(word, count);
  });
  if (rows.words.size() != expected) {
    throw InputError({path}, fmt::format("{} words for {} vectors", rows.words.size(), expected),
                     "the list has one word per row of the matrix");
  }
}

}  // namespace

void save_npy(const std::string& stem, const WordVectors& vectors) {
  base::Transaction files;
  files.claim(base::folder_of(stem));
  base::OutputFile matrix(stem + ".npy");
  matrix.write(
      base::npy_header("<f4", fmt::format("({}, {})", vectors.vocabulary.size(), vectors.dimensions)));
  matrix.write(std::as_bytes(vectors.numbers()));
  base::OutputFile words(stem + ".vocab");
  if (!vectors.vocabulary.empty()) words.write(base::mark_before(vectors.vocabulary.word(0)));
  for (WordId word = 0; word < vectors.vocabulary.size(); ++word) {
    words.write(fmt::format("{}\t{}\n", vectors.vocabulary.word(word), vectors.vocabulary.count(word)));
  }
  matrix.commit();
  words.commit();
  files.commit();
}

NamedRows load_npy(const std::string& matrix_path, const std::string& words_path, const RunOptions& run) {
  NamedRows rows = read_matrix(matrix_path, run);
  read_words(words_path, run, rows);
  return rows;
}

}  // namespace firth::vectors
