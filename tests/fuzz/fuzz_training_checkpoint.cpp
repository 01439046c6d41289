// Checkpoints of trainings: a good one with bytes changed (two for the place, one for what is changed there), and right
// checksums. The first byte chooses the training and the moment of the checkpoint.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "firth/hmm.hpp"
#include "repair_checksums.hpp"
#include "support/interruptions.hpp"

namespace {

using namespace firth;

struct Training {
  HmmAlgorithm algorithm;
  int reports;  // of progress before it is stopped
};

Training training_of(unsigned choice) {
  return {static_cast<HmmAlgorithm>(choice % 4), static_cast<int>(1 + (choice / 4) % 8)};
}

HmmResult train(const Training& what, const std::string& file, const RunOptions& run, bool resume) {
  HmmOptions options{.algorithm = what.algorithm, .states = 2, .iterations = 4, .restarts = 2};
  options.sparse = {.sigma = 2, .min_count = 2, .steps = 1, .warm_up = 2};
  options.checkpoint = {.file = file, .seconds = 0, .resume = resume};
  if (what.algorithm == HmmAlgorithm::gibbs) options.restarts = 1;  // others would not report
  return train_hmm(Inputs::from_text("a b a c\nb a d\na b\n"), options, run);
}

std::string good_checkpoint(const Training& what) {
  const fuzz::Scratch scratch;
  firth::testing::StopAt sink(what.reports);
  try {
    if (train(what, scratch.write(""), {.threads = 1, .progress = &sink, .stop = sink.token()}, false)
            .tokens != 9) {
      std::abort();
    }
  } catch (const Cancelled&) {
  }
  std::ifstream in(scratch.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  if (size == 0) return 0;
  const Training what = training_of(data[0]);
  static std::string good[32];
  std::string& start = good[data[0] % 32];
  if (start.empty()) start = good_checkpoint(what);
  std::string file = start;
  for (std::size_t i = 1; i + 2 < size && !file.empty(); i += 3) {
    const std::size_t place = (data[i] + 256U * data[i + 1]) % file.size();
    file[place] = static_cast<char>(file[place] ^ data[i + 2]);
  }
  fuzz::repair_checksums(file);
  try {
    const HmmResult result = train(what, scratch.write(file), {.threads = 1}, true);
    if (result.tokens != 9 || result.model.states != 2 || result.objective.size() > 4) std::abort();
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
