// Vectors in files: NumPy's .npy with a word list beside it, and the two formats of word2vec.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"
#include "base/parse_number.hpp"
#include "firth/embed.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::string_view kMagic = "\x93NUMPY";

std::span<const std::byte> bytes_of(std::span<const float> values) {
  return std::as_bytes(values);
}

/// Words with white space inside (CoNLL-U has them) would break formats that separate by spaces.
std::string without_spaces(std::string_view word) {
  std::string result(word);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c == ' ' || c == '\t'; }, '_');
  return result;
}

void save_npy(const std::string& path, const WordVectors& vectors) {
  base::OutputFile matrix(path + ".npy");
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   vectors.vocabulary.size(), vectors.dimensions);
  // The numbers start at a multiple of 64 bytes.
  constexpr std::size_t kBefore = 10;
  header.append(64 - (kBefore + header.size() + 1) % 64, ' ').push_back('\n');
  matrix.write(kMagic);
  const char version[4] = {1, 0, static_cast<char>(header.size() & 0xff),
                           static_cast<char>(header.size() >> 8)};
  matrix.write(std::string_view(version, sizeof version));
  matrix.write(header);
  matrix.write(bytes_of(vectors.values));
  base::OutputFile words(path + ".vocab");
  for (WordId word = 0; word < vectors.vocabulary.size(); ++word) {
    words.write(fmt::format("{}\t{}\n", vectors.vocabulary.word(word), vectors.vocabulary.count(word)));
  }
  matrix.commit();
  words.commit();
}

void save_word2vec(const std::string& path, const WordVectors& vectors, bool binary) {
  base::OutputFile file(path);
  file.write(fmt::format("{} {}\n", vectors.vocabulary.size(), vectors.dimensions));
  for (WordId word = 0; word < vectors.vocabulary.size(); ++word) {
    file.write(without_spaces(vectors.vocabulary.word(word)));
    if (binary) {
      file.write(" ");
      file.write(bytes_of(vectors.row(word)));
    } else {
      for (const float value : vectors.row(word)) file.write(fmt::format(" {}", value));
    }
    file.write("\n");
  }
  file.commit();
}

std::string_view text_of(const base::MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

/// Takes the next line off the front of `rest`.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

template <typename Number>
bool parse(std::string_view text, Number& value) {
  const std::optional<Number> number = base::parse_number<Number>(text);
  value = number.value_or(value);
  return number.has_value();
}

/// The vocabulary sorts words by count; files without counts give falling ones to keep their order.
Vocabulary vocabulary_in_order(std::vector<std::pair<std::string, Count>> words, const std::string& path) {
  const std::vector<std::pair<std::string, Count>> given = words;
  Vocabulary vocabulary = Vocabulary::from_words(std::move(words));
  for (WordId word = 0; word < given.size(); ++word) {
    if (vocabulary.word(word) != given[word].first) {
      throw InputError({path, word + 1}, "words are not sorted by count",
                       "is this the list of these vectors?");
    }
  }
  return vocabulary;
}

Vocabulary read_vocabulary(const std::string& path) {
  const base::MappedFile file(path);
  std::string_view rest = text_of(file);
  std::vector<std::pair<std::string, Count>> words;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const std::size_t tab = line.rfind('\t');
    Count count = 0;
    if (tab == std::string_view::npos || !parse(line.substr(tab + 1), count)) {
      throw InputError({path, words.size() + 1}, "not a line of a word, a tab and a count");
    }
    words.emplace_back(line.substr(0, tab), count);
  }
  return vocabulary_in_order(std::move(words), path);
}

/// The two numbers of 'shape': (rows, columns) in the header of a .npy file.
std::pair<std::size_t, std::size_t> npy_shape(std::string_view header, const std::string& path) {
  const std::size_t open = header.find('(');
  const std::size_t comma = header.find(',', open == std::string_view::npos ? 0 : open);
  const std::size_t close = header.find(')', comma == std::string_view::npos ? 0 : comma);
  std::size_t rows = 0;
  std::size_t columns = 0;
  const bool fits = open != std::string_view::npos && comma != std::string_view::npos &&
                    close != std::string_view::npos && comma + 2 < close &&
                    parse(header.substr(open + 1, comma - open - 1), rows) &&
                    parse(header.substr(comma + 2, close - comma - 2), columns);
  if (!fits || header.find("'<f4'") == std::string_view::npos ||
      header.find("'fortran_order': False") == std::string_view::npos) {
    throw InputError({path}, "not a matrix of float32 by rows", "Firth reads the .npy files that it writes");
  }
  return {rows, columns};
}

WordVectors load_npy(const std::string& path) {
  const base::MappedFile file(path + ".npy");
  const std::string_view text = text_of(file);
  constexpr std::size_t kBefore = 10;
  if (text.size() < kBefore || !text.starts_with(kMagic) || text[6] != 1) {
    throw InputError({path + ".npy"}, "not a .npy file of version 1");
  }
  const std::size_t length = static_cast<unsigned char>(text[8]) + 256u * static_cast<unsigned char>(text[9]);
  const auto [rows, columns] = npy_shape(text.substr(kBefore, length), path + ".npy");
  const std::string_view numbers = text.substr(std::min(kBefore + length, text.size()));
  if (columns == 0 || numbers.size() / sizeof(float) / columns != rows ||
      numbers.size() != rows * columns * sizeof(float)) {
    throw InputError({path + ".npy"}, fmt::format("the file has not {} x {} numbers", rows, columns),
                     "it may be cut off");
  }
  WordVectors vectors{read_vocabulary(path + ".vocab"), columns, std::vector<float>(rows * columns), {}};
  if (vectors.vocabulary.size() != rows) {
    throw InputError({path + ".vocab"},
                     fmt::format("{} words for {} vectors", vectors.vocabulary.size(), rows));
  }
  if (!numbers.empty()) std::memcpy(vectors.values.data(), numbers.data(), numbers.size());
  return vectors;
}

/// A reader of word2vec's formats; the place of an error is the number of the line (text) or word (binary).
class Word2vecReader {
 public:
  Word2vecReader(const std::string& path, std::string_view text) : path_(path), rest_(text) {
    const std::string_view first = take_line(rest_);
    const std::size_t space = first.find(' ');
    if (space == std::string_view::npos || !parse(first.substr(0, space), words_) ||
        !parse(first.substr(space + 1), dimensions_) || dimensions_ == 0) {
      throw InputError({path, 1}, "not a file of word vectors",
                       "known are .npy and the two word2vec formats");
    }
    // A vector takes at least two bytes a number, so sizes beyond the file are known to be wrong at once.
    if (words_ > rest_.size() || dimensions_ > rest_.size())
      fail("the file is shorter than its first line says");
  }

  WordVectors read() {
    const bool binary = !looks_like_text();
    std::vector<std::pair<std::string, Count>> words;
    std::vector<float> values;
    for (std::size_t i = 0; i < words_; ++i) {
      line_ = i + 2;
      words.emplace_back(binary ? read_binary(values) : read_text(values), words_ - i);
    }
    return {vocabulary_in_order(std::move(words), path_), dimensions_, std::move(values), {}};
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const { throw InputError({path_, line_}, problem); }

  bool looks_like_text() const {
    std::string_view probe = rest_;
    std::string_view line = take_line(probe);
    for (std::size_t i = 0; i < dimensions_; ++i) {
      const std::size_t space = line.rfind(' ');
      float value = 0;
      if (space == std::string_view::npos || !parse(line.substr(space + 1), value)) return false;
      line = line.substr(0, space);
    }
    return true;
  }

  std::string read_text(std::vector<float>& values) {
    std::string_view line = take_line(rest_);
    const std::size_t start = values.size();
    values.resize(start + dimensions_);
    for (std::size_t i = dimensions_; i-- > 0;) {
      const std::size_t space = line.rfind(' ');
      if (space == std::string_view::npos || !parse(line.substr(space + 1), values[start + i])) {
        fail(fmt::format("not a word and {} numbers", dimensions_));
      }
      line = line.substr(0, space);
    }
    return std::string(line);
  }

  std::string read_binary(std::vector<float>& values) {
    const std::size_t space = rest_.find(' ');
    const std::size_t bytes = dimensions_ * sizeof(float);
    if (space == std::string_view::npos || rest_.size() - space - 1 < bytes) fail("the file ends too early");
    const std::string word(rest_.substr(0, space));
    values.resize(values.size() + dimensions_);
    std::memcpy(values.data() + values.size() - dimensions_, rest_.data() + space + 1, bytes);
    rest_.remove_prefix(space + 1 + bytes);
    if (rest_.starts_with('\n')) rest_.remove_prefix(1);
    return word;
  }

  std::string path_;
  std::string_view rest_;
  std::size_t words_ = 0;
  std::size_t dimensions_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

void save_vectors(const std::string& path, const WordVectors& vectors, VectorFormat format) {
  if (format == VectorFormat::npy) {
    save_npy(path, vectors);
  } else {
    save_word2vec(path, vectors, format == VectorFormat::word2vec_binary);
  }
}

WordVectors load_vectors(const std::string& path) {
  for (const std::string_view ending : {".npy", ".vocab"}) {
    if (path.ends_with(ending)) return load_npy(path.substr(0, path.size() - ending.size()));
  }
  if (std::filesystem::is_directory(path)) return load_npy(path + "/vectors");
  if (!std::filesystem::exists(path) && std::filesystem::exists(path + ".npy")) return load_npy(path);
  const base::MappedFile file(path);
  return Word2vecReader(path, text_of(file)).read();
}

}  // namespace firth
