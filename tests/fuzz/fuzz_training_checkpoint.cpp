// Checkpoints of trainings and of singular vectors: a good one with bytes changed (two for the place, one for what is
// changed there), and right checksums. The first byte chooses the training and the moment of the checkpoint, and how far
// the training goes on: to its end, or, since that takes longest, only to its first report of progress.
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "firth/count.hpp"
#include "firth/embed.hpp"
#include "firth/hmm.hpp"
#include "firth/lpcfg.hpp"
#include "repair_checksums.hpp"
#include "support/interruptions.hpp"

namespace {

using namespace firth;

void require(bool good) {
  if (!good) std::abort();
}

void train_hmm(HmmAlgorithm algorithm, const CheckpointOptions& checkpoint, const RunOptions& run) {
  HmmOptions options{.algorithm = algorithm, .states = 2, .iterations = 4, .restarts = 2};
  options.sparse = {.sigma = 2, .min_count = 2, .steps = 1, .warm_up = 2};
  options.checkpoint = checkpoint;
  if (algorithm == HmmAlgorithm::gibbs) options.restarts = 1;  // others would not report
  const HmmResult result = train_hmm(Inputs::from_text("a b a c\nb a d\na b\n"), options, run);
  require(result.tokens == 9 && result.model.states == 2 && result.objective.size() <= 4);
}

void train_grammar(const CheckpointOptions& checkpoint, const RunOptions& run) {
  static const std::string trees = [] {
    std::string all;
    for (int i = 0; i < 60; ++i)
      all += i % 3 == 0 ? "(S (NP (D the) (N cat)) (VP (V runs)))\n"
                        : "(S (NP (D a) (N dog)) (VP (V sees) (NP (D the) (N cat))))\n";
    return all;
  }();
  LpcfgTrainOptions options = recommended_training();
  options.latent.states = 2;
  options.latent.em_steps = 3;
  options.latent.em_start = EmStart::random;
  options.latent.grammars = 2;
  options.checkpoint = checkpoint;
  require(train_lpcfg(Inputs::from_text(trees), options, run).info().grammars == 2);
}

void embed(const CheckpointOptions& checkpoint, const RunOptions& run) {
  static const Counts counts =
      count_text(Inputs::from_text("a b a c b a d a b e c a f b g a c d f e g b\n"), {}, {.threads = 1});
  EmbedOptions options{.dimensions = 3, .context = {-1, 1}};
  options.checkpoint = checkpoint;
  require(embed_words(counts, options, run).vocabulary.size() == 7);
}

void train(unsigned kind, const CheckpointOptions& checkpoint, const RunOptions& run) {
  if (kind < 4) return train_hmm(static_cast<HmmAlgorithm>(kind), checkpoint, run);
  return kind == 4 ? train_grammar(checkpoint, run) : embed(checkpoint, run);
}

constexpr unsigned kKinds = 6;
constexpr unsigned kMoments = 8;  // reports of progress before the training is stopped

std::string good_checkpoint(unsigned choice) {
  const fuzz::Scratch scratch;
  firth::testing::StopAt sink(static_cast<int>(1 + choice / kKinds));
  try {
    train(choice % kKinds, {.file = scratch.write(""), .seconds = 3600},
          {.threads = 1, .progress = &sink, .stop = sink.token()});
  } catch (const Cancelled&) {
  }
  std::ifstream in(scratch.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  if (size == 0) return 0;
  const unsigned choice = data[0] % (kKinds * kMoments);
  static std::string good[kKinds * kMoments];
  std::string& start = good[choice];
  if (start.empty()) start = good_checkpoint(choice);
  const std::string file = fuzz::damaged_copy(start, data + 1, size - 1);
  firth::testing::StopAt sink(data[0] < kKinds * kMoments ? -1 : 1);
  try {
    train(choice % kKinds, {.file = scratch.write(file), .resume = true},
          {.threads = 1, .progress = &sink, .stop = sink.token()});
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
