// Files of vectors. The first byte chooses: word2vec's formats and what looks like them, a NumPy matrix, the words beside
// one, or the classes beside the means of classes.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "firth/cluster_vectors.hpp"
#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "scratch.hpp"
#include "vectors/named_rows.hpp"
#include "vectors/npy_file.hpp"
#include "vectors/word2vec_file.hpp"

namespace {

/// Two vectors of one number.
std::string small_matrix() {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }";
  header.append(117 - header.size(), ' ').push_back('\n');
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header +
         std::string("\0\0\x80\x3f\0\0\0\x40", 8);
}

firth::vectors::NamedRows read(unsigned choice, const std::string& bytes) {
  static const firth::fuzz::Scratch matrix;
  static const firth::fuzz::Scratch words;
  static const firth::fuzz::Scratch good;
  static const std::string good_matrix = good.write(small_matrix());
  const firth::RunOptions run{.threads = 1};
  if (choice == 0) return firth::vectors::load_word2vec(words.write(bytes), run);
  if (choice == 1) return firth::vectors::load_npy(matrix.write(bytes), words.write("a\nb\n"), run);
  return firth::vectors::load_npy(good_matrix, words.write(bytes), run);
}

/// A folder with the means of two classes.
void read_means(std::string_view classes) {
  static const firth::fuzz::ScratchFolder folder;
  static const bool ready = (folder.write("means-cosine.npy", small_matrix()), true);
  folder.write("means-cosine.vocab", classes);
  const firth::ClassMeans means = firth::load_class_means(folder.path(), 2, {.threads = 1});
  if (!ready || means.sizes.size() != 2 || means.means.size() != 2 * means.dimensions) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] == 'm') {
      read_means(bytes);
      return 0;
    }
    const firth::WordVectors vectors =
        firth::vectors::in_vocabulary_order(read(data[0] % 3, bytes), {.threads = 1});
    if (vectors.numbers().size() != vectors.vocabulary.size() * vectors.dimensions) std::abort();
    for (const float value : vectors.numbers())
      if (!std::isfinite(value)) std::abort();
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
