// Checkpoints of Brown clustering. The first byte chooses: the bytes as a file, or as the order and the merges
// of a checkpoint that fits the run and has right checksums.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cluster/brown/checkpoint.hpp"
#include "cluster/brown/order.hpp"
#include "firth/brown.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "repair_checksums.hpp"

namespace {

/// Numbers a little beyond what is possible.
constexpr unsigned kNumbers = 16;
constexpr std::size_t kWords = 5;

/// A file with an order of N words and M merges, all of them zero.
std::string empty_checkpoint(std::size_t words, std::size_t merges, std::uint64_t fingerprint) {
  const firth::fuzz::Scratch scratch;
  const firth::brown::Checkpoint checkpoint{std::vector<firth::WordId>(words), {merges, {0, 0}}};
  firth::brown::save_checkpoint(scratch.path(), checkpoint, fingerprint);
  std::ifstream in(scratch.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The bytes as the order and the merges of a checkpoint that fits the run. Files are made once per size, since to save one
/// takes longer than to read it.
std::string checkpoint_of(const std::string& bytes, std::uint64_t fingerprint) {
  static std::map<std::pair<std::size_t, std::size_t>, std::string> files;
  const std::size_t words = std::min(bytes.size(), kWords);
  const std::size_t merges = (bytes.size() - words) / 2;
  std::string& empty = files[{words, merges}];
  if (empty.empty()) empty = empty_checkpoint(words, merges, fingerprint);
  std::string file = empty;
  for (std::size_t i = 0; i < words + 2 * merges; ++i) {
    const std::size_t section = i < words ? 1 : 2;  // the first has the fingerprint
    const auto offset = firth::fuzz::load<std::uint64_t>(
        file, firth::fuzz::kHeaderBytes + section * firth::fuzz::kRowBytes + 8);
    file[offset + 4 * (i < words ? i : i - words)] =
        static_cast<char>(static_cast<unsigned char>(bytes[i]) % kNumbers);
  }
  firth::fuzz::repair_checksums(file);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  static const firth::Counts counts =
      firth::count_text(firth::Inputs::from_text("a b a c b a d a b e c a\n"), {}, {.threads = 1});
  if (size == 0) return 0;
  static const firth::BrownOptions fresh{.classes = 2};
  static const std::uint64_t fingerprint =
      firth::brown::fingerprint(counts, fresh, firth::brown::entry_order(counts, fresh));
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  firth::BrownOptions options = fresh;
  options.checkpoint_file = scratch.write((data[0] & 1) != 0 ? checkpoint_of(bytes, fingerprint) : bytes);
  options.resume = true;
  try {
    const firth::ClusterResult result = firth::cluster_brown(counts, options, {.threads = 1});
    if (result.clustering.word_count() != kWords) std::abort();
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
