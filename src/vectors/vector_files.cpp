// Files of vectors: which format a path means.
#include <optional>
#include <string_view>

#include "base/file_system.hpp"
#include "base/folder_commit.hpp"
#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "vectors/npy_file.hpp"
#include "vectors/word2vec_file.hpp"

namespace firth {
namespace vectors {
namespace {

constexpr const char* kMatrixEndings[] = {".npy", ".npy.gz", ".npy.zst", ".npy.xz"};
constexpr const char* kWordsEndings[] = {".vocab", ".txt", ".words"};

/// The list of words beside a matrix: STEM.vocab, as Firth writes it, or STEM.txt or STEM.words.
std::string words_beside(const std::string& stem) {
  for (const char* ending : kWordsEndings) {
    if (base::exists(stem + ending)) return stem + ending;
  }
  throw InputError({stem + ".npy"}, "there is no list of words beside it",
                   "put the words, one per line in the order of the rows, into " + stem + ".vocab");
}

NamedRows read_stem(const std::string& stem, const RunOptions& run) {
  for (const char* ending : kMatrixEndings) {
    if (base::exists(stem + ending)) return load_npy(stem + ending, words_beside(stem), run);
  }
  throw IoError(stem + ".npy", "cannot open", ENOENT);
}

/// Matrix and words of one writer, even if another one replaces them meanwhile.
WordVectors load_stem(const std::string& stem, const RunOptions& run) {
  std::vector<std::string> names;
  for (const char* ending : kMatrixEndings) names.push_back(base::name_of(stem) + ending);
  for (const char* ending : kWordsEndings) names.push_back(base::name_of(stem) + ending);
  std::optional<NamedRows> rows;
  base::read_together(base::folder_of(stem), names, [&] { rows = read_stem(stem, run); });
  return in_vocabulary_order(std::move(*rows), run);
}

}  // namespace
}  // namespace vectors

void save_vectors(const std::string& path, const WordVectors& vectors, VectorFormat format) {
  if (format == VectorFormat::npy) {
    vectors::save_npy(path, vectors);
  } else {
    vectors::save_word2vec(path, vectors, format == VectorFormat::word2vec_binary);
  }
}

WordVectors load_vectors(const std::string& path, const RunOptions& run) {
  for (const std::string_view ending : {".npy", ".npy.gz", ".npy.zst", ".npy.xz", ".vocab"}) {
    if (path.ends_with(ending)) return vectors::load_stem(path.substr(0, path.size() - ending.size()), run);
  }
  if (base::is_folder(path)) return vectors::load_stem(path + "/vectors", run);
  if (!base::exists(path) && base::exists(path + ".npy")) return vectors::load_stem(path, run);
  return vectors::in_vocabulary_order(vectors::load_word2vec(path, run), run);
}

}  // namespace firth
