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

/// What brings a vector to length 1; those of zeros stay as they are.
float unit_scale(std::span<const float> row) {
  const double square = square_of(row);
  return square > 0 ? static_cast<float>(1 / std::sqrt(square)) : 1.0F;
}

}  // namespace

Rows::Rows(const WordVectors& vectors, VectorDistance distance)
    : view_{vectors.numbers().data(), vectors.vocabulary.size(), vectors.dimensions, vectors.dimensions} {
  check_finite(vectors);
  if (distance == VectorDistance::euclidean) return;
  for (WordId word = 0; word < vectors.vocabulary.size(); ++word)
    scales_.push_back(unit_scale(vectors.row(word)));
  // Vectors that come with length 1 are used as they are.
  constexpr float kRounding = 1e-6F;
  if (std::all_of(scales_.begin(), scales_.end(), [](float s) { return std::abs(s - 1.0F) < kRounding; }))
    scales_.clear();
}

linalg::View<const float> Rows::plain() {
  if (scales_.empty()) return view_;
  if (copy_.empty()) {
    copy_.reserve(view_.rows * view_.columns);
    for (std::size_t i = 0; i < view_.rows; ++i)
      for (std::size_t j = 0; j < view_.columns; ++j) copy_.push_back(scaled().at(i, j));
  }
  return {copy_.data(), view_.rows, view_.columns, view_.columns};
}

}  // namespace firth::points
