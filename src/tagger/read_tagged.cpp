#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "text/token_reader.hpp"

namespace firth {

std::vector<TaggedSentence> read_tagged(const Inputs& inputs, const TokenOptions& options,
                                        const RunOptions& run) {
  text::TokenReader reader(inputs, options, text::ReadColumns::tags, run);
  text::TokenSentence sentence;
  std::vector<TaggedSentence> sentences;
  while (reader.next(sentence)) {
    TaggedSentence& tagged = sentences.emplace_back();
    tagged.path = reader.path();
    for (const text::TokenLine& line : sentence.lines) {
      if (!line.is_token()) continue;
      tagged.words.emplace_back(sentence.part(line.word));
      tagged.tags.emplace_back(sentence.part(line.tag));
      tagged.lines.push_back(line.number);
    }
    if (tagged.words.empty()) sentences.pop_back();
  }
  if (sentences.empty() && !inputs.empty()) {
    throw InputError({inputs.first_name()}, "there are no tagged sentences",
                     "give files with words and tags");
  }
  return sentences;
}

std::vector<TaggedSentence> sample_sentences(std::span<const TaggedSentence> sentences, double percent,
                                             std::uint64_t seed) {
  if (!(percent > 0 && percent <= 100))
    throw UsageError("a part of the sentences is more than 0 and up to 100 percent");
  std::vector<std::size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  base::Rng rng(seed);
  base::shuffle(order, rng);
  const double exact = static_cast<double>(sentences.size()) * percent / 100;
  const auto size =
      std::min(sentences.size(), std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(exact))));
  order.resize(size);
  std::sort(order.begin(), order.end());
  std::vector<TaggedSentence> part;
  part.reserve(size);
  for (const std::size_t i : order) part.push_back(sentences[i]);
  return part;
}

}  // namespace firth
