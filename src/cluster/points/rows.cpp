#include "cluster/points/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "firth/error.hpp"

namespace firth::points {
namespace {

double square_of(std::span<const float> row) {
  double sum = 0;
  for (const float value : row) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

void check_finite(const WordVectors& vectors) {
  for (WordId word = 0; word < vectors.vocabulary.size(); ++word) {
    const auto row = vectors.row(word);
    if (std::all_of(row.begin(), row.end(), [](float value) { return std::isfinite(value); })) continue;
    throw InputError(
        {}, fmt::format("the vector of '{}' has a number that is not finite", vectors.vocabulary.word(word)),
        "take it out");
  }
}

}  // namespace

Rows::Rows(const WordVectors& vectors, VectorDistance distance) {
  check_finite(vectors);
  const std::size_t count = vectors.vocabulary.size();
  const float* data = vectors.values.data();
  if (distance == VectorDistance::cosine) {
    scaled_ = vectors.values;
    for (WordId word = 0; word < count; ++word) {
      const double length = std::sqrt(square_of(vectors.row(word)));
      if (!(length > 0)) continue;
      float* row = scaled_.data() + word * vectors.dimensions;
      for (std::size_t j = 0; j < vectors.dimensions; ++j)
        row[j] = static_cast<float>(static_cast<double>(row[j]) / length);
    }
    data = scaled_.data();
  }
  view_ = {data, count, vectors.dimensions, vectors.dimensions};
}

}  // namespace firth::points
