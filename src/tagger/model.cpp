#include "tagger/model.hpp"

#include <algorithm>
#include <cmath>

#include "base/simd.hpp"

namespace firth {
namespace tagger {

std::span<const float> VectorTable::find(std::string_view word, text::UnicodeWords& unicode) const {
  if (const auto found = index.find(word)) return vector(*found);
  if (const auto found = index.find(unicode.lower(word))) return vector(*found);
  return {};
}

FIRTH_CLONES
void multiply(std::span<const float> vector, std::span<const float> weights, std::span<float> sums) {
  const std::size_t tags = sums.size();
  float* const __restrict out = sums.data();
  std::fill(sums.begin(), sums.end(), 0.0F);
  for (std::size_t d = 0; d < vector.size(); ++d) {
    const float x = vector[d];
    const float* const __restrict row = weights.data() + d * tags;
    for (std::size_t t = 0; t < tags; ++t) out[t] += x * row[t];
  }
}

Score vector_score(float sum) {
  constexpr float kMax = 1e9F;
  return std::llrint(std::clamp(sum, -kMax, kMax) * static_cast<float>(kUnit));
}

}  // namespace tagger

std::size_t Tagger::tag_count() const {
  return model_->tags.size();
}

std::string_view Tagger::tag_name(TagId tag) const {
  return model_->tags.name(tag);
}

TagScheme Tagger::scheme() const {
  return model_->tags.scheme();
}

int Tagger::beam() const {
  return model_->beam;
}

TagObjective Tagger::objective() const {
  return model_->is_chain() ? TagObjective::crf : TagObjective::perceptron;
}

std::uint64_t Tagger::feature_count() const {
  return model_->weights.index.size();
}

std::uint64_t Tagger::weight_count() const {
  return model_->weights.values.size();
}

std::size_t Tagger::class_sources() const {
  return model_->classes.size();
}

std::size_t Tagger::vector_sources() const {
  return model_->vectors.size();
}

std::size_t Tagger::name_lists() const {
  return model_->names.size();
}

const Preprocessing& Tagger::preprocessing() const {
  return model_->spelling;
}

bool Tagger::knows(std::string_view word) const {
  const std::vector<tagger::Hash>& known = model_->known_words;
  const std::string spelled = text::spelled(word, model_->spelling);
  return std::binary_search(known.begin(), known.end(), tagger::known_hash(spelled));
}

}  // namespace firth
