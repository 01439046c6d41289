#include "base/rank_error.hpp"
#include "counts/count/counting.hpp"
#include "counts/count/squeeze.hpp"
#include "counts/ranks/count_on_ranks.hpp"
#include "firth/count.hpp"
#include "text/inputs.hpp"

namespace firth {
namespace counts {

Counts count_restricted(std::vector<text::InputFile> files, const CountOptions& options,
                        const RunOptions& run) {
  const auto tuning =
      CountTuning::for_run(run, options.distances.size() + (options.held_out_share > 0 ? 1 : 0));
  Counts counts = count_files(std::move(files), options, tuning, run);
  if (options.text.squeeze) counts = squeezed(counts, run);
  const bool dropped = options.vocabulary.rare == RarePolicy::drop;
  return dropped ? counts : restrict_vocabulary(counts, options.vocabulary, run);
}

}  // namespace counts

Counts count_text(const Inputs& inputs, const CountOptions& options, const RunOptions& run) {
  validate(options);
  const base::Ranks ranks(run);
  if (ranks.alone()) return counts::count_restricted(text::expand_inputs(inputs, run.stop), options, run);
  std::vector<text::InputFile> files;
  base::together(ranks, [&] {
    if (ranks.is_root()) files = text::expand_inputs(inputs, run.stop);
  });
  return counts::count_on_ranks(files, options, run);
}

}  // namespace firth
