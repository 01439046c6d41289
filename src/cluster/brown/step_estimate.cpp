#include "cluster/brown/step_estimate.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "firth/brown.hpp"

namespace firth::brown {

StepEstimate::StepEstimate(const EngineInput& input, const BrownOptions& options, const EngineSizes& sizes)
    : by_merges_(options.variant == BrownVariant::allsame), steps_(input.rank.size()) {
  const std::uint64_t capacity = sizes.window.capacity;
  first_search_ = capacity * capacity / 2;
  if (by_merges_)
    count_groups(input, options.classes);
  else
    count_neighbours(input, capacity);
  total_ = std::accumulate(steps_.begin(), steps_.end(), first_search_);
}

/// A word takes as many steps as it has neighbours, up to the size of the window, and some more.
void StepEstimate::count_neighbours(const EngineInput& input, std::size_t capacity) {
  constexpr std::uint64_t kFixedStepsPerWord = 8;
  for (WordId word = 0; word < steps_.size(); ++word) {
    const std::size_t neighbours =
        input.counts.bigrams().right_words(word).size() + input.transposed.right_words(word).size();
    steps_[word] = std::min(neighbours, capacity) + kFixedStepsPerWord;
  }
}

/// A word takes as many steps as there are words of its frequency, all of which are examined when one merges,
/// and many for every class.
void StepEstimate::count_groups(const EngineInput& input, std::uint64_t classes) {
  constexpr std::uint64_t kStepsPerClass = 400;
  std::unordered_map<Count, std::uint64_t> words;  // by frequency
  for (const Count count : input.counts.vocabulary().counts()) ++words[count];
  for (WordId word = 0; word < steps_.size(); ++word)
    steps_[word] = words.at(input.counts.vocabulary().count(word)) + classes * kStepsPerClass;
}

std::uint64_t StepEstimate::done(const Recorder& recorder, std::span<const WordId> order) {
  const std::size_t words = by_merges_ ? recorder.merges().size() : recorder.entered();
  for (; counted_ < words; ++counted_) done_ += steps_[order[counted_]];
  return done_ + (recorder.merges().empty() ? 0 : first_search_);
}

}  // namespace firth::brown
