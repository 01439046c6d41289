// Checkpoints of searches: a good one with bytes changed (two for the place, one for what is changed there), and right
// checksums. The first byte chooses the search and the moment of the checkpoint, and how far the search goes on: to its
// end, or, since that takes longest, only to its first report of progress.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "firth/auto.hpp"
#include "firth/count.hpp"
#include "firth/exchange.hpp"
#include "repair_checksums.hpp"
#include "support/interruptions.hpp"

namespace {

using namespace firth;

constexpr std::size_t kWords = 7;
constexpr ClassId kClasses = 3;

struct Run {
  bool exchange;
  SearchEffort effort;
  int reports;  // of progress before the search is stopped
};

ClusterResult search(const Run& what, const std::string& file, const RunOptions& run, bool resume) {
  static const Counts counts =
      count_text(Inputs::from_text("a b a c b a d a b e c a f b g a c d f e g b\n"), {}, {.threads = 1});
  SearchLimits limits = firth::testing::checkpoint_limits(file, resume);
  if (resume) limits.checkpoint_seconds = 3600;  // to write it again would test nothing
  if (!what.exchange)
    return cluster_auto(counts, {.classes = kClasses, .effort = what.effort, .limits = limits}, run);
  ExchangeOptions options{.classes = kClasses};
  options.restarts = 3;
  options.limits = limits;
  return cluster_exchange(counts, options, run);
}

std::string good_checkpoint(const Run& what) {
  const fuzz::Scratch scratch;
  firth::testing::StopAt sink(what.reports);
  try {
    const ClusterResult all =
        search(what, scratch.write(""), {.threads = 1, .progress = &sink, .stop = sink.token()}, false);
    if (all.clustering.word_count() != kWords) std::abort();
  } catch (const Cancelled&) {
  }
  std::ifstream in(scratch.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Run run_of(unsigned choice) {
  const SearchEffort effort = (choice & 2) != 0 ? SearchEffort::normal : SearchEffort::fast;
  return {(choice & 1) != 0, effort, static_cast<int>(1 + (choice >> 2) % 8)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  if (size == 0) return 0;
  constexpr unsigned kStarts = 32;
  const Run what = run_of(data[0]);
  static std::string good[kStarts];
  std::string& start = good[data[0] % kStarts];
  if (start.empty()) start = good_checkpoint(what);
  const std::string file = fuzz::damaged_copy(start, data + 1, size - 1);
  firth::testing::StopAt sink(data[0] / kStarts == 0 ? -1 : 1);
  try {
    const ClusterResult result =
        search(what, scratch.write(file), {.threads = 1, .progress = &sink, .stop = sink.token()}, true);
    if (result.clustering.word_count() != kWords || result.clustering.class_count() > kClasses) std::abort();
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
