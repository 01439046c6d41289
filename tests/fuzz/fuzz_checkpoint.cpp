// Checkpoints of Brown clustering. The first byte chooses: the bytes as a file, or as the order and the merges
// of a checkpoint that fits the run and has right checksums.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cluster/brown/checkpoint.hpp"
#include "cluster/brown/order.hpp"
#include "firth/brown.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "scratch.hpp"

namespace {

/// Numbers a little beyond what is possible.
constexpr std::uint32_t kNumbers = 16;
constexpr std::size_t kWords = 5;

firth::brown::Checkpoint checkpoint_of(const std::string& bytes) {
  firth::brown::Checkpoint checkpoint;
  std::size_t at = 0;
  const auto next = [&] { return static_cast<unsigned char>(bytes[at++]) % kNumbers; };
  while (at < bytes.size() && at < kWords) checkpoint.order.push_back(next());
  while (at + 2 <= bytes.size()) {
    const std::uint32_t left = next();
    checkpoint.merges.emplace_back(left, next());
  }
  return checkpoint;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  static const firth::Counts counts =
      firth::count_text(firth::Inputs::from_text("a b a c b a d a b e c a\n"), {}, {.threads = 1});
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  firth::BrownOptions options{.classes = 2};
  options.checkpoint_file = scratch.write(bytes);
  options.resume = true;
  try {
    if ((data[0] & 1) != 0) {
      const auto order = firth::brown::entry_order(counts, options);
      firth::brown::save_checkpoint(options.checkpoint_file, checkpoint_of(bytes),
                                    firth::brown::fingerprint(counts, options, order));
    }
    const firth::ClusterResult result = firth::cluster_brown(counts, options, {.threads = 1});
    if (result.clustering.word_count() != kWords) std::abort();
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
