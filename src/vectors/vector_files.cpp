// Files of vectors: which format a path means.
#include <filesystem>
#include <string_view>

#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "vectors/npy_file.hpp"
#include "vectors/word2vec_file.hpp"

namespace firth {
namespace vectors {
namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// The list of words beside a matrix: STEM.vocab, as Firth writes it, or STEM.txt or STEM.words.
std::string words_beside(const std::string& stem) {
  for (const char* ending : {".vocab", ".txt", ".words"}) {
    if (exists(stem + ending)) return stem + ending;
  }
  throw InputError({stem + ".npy"}, "there is no list of words beside it",
                   "put the words, one per line in the order of the rows, into " + stem + ".vocab");
}

WordVectors load_stem(const std::string& stem, const RunOptions& run) {
  for (const char* ending : {".npy", ".npy.gz", ".npy.zst", ".npy.xz"}) {
    if (exists(stem + ending))
      return in_vocabulary_order(load_npy(stem + ending, words_beside(stem), run), run);
  }
  throw IoError(stem + ".npy", "cannot open", ENOENT);
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
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return vectors::load_stem(path + "/vectors", run);
  if (!vectors::exists(path) && vectors::exists(path + ".npy")) return vectors::load_stem(path, run);
  return vectors::in_vocabulary_order(vectors::load_word2vec(path, run), run);
}

}  // namespace firth
