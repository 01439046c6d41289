// The innermost loops.
#pragma once

#include <cstddef>

namespace firth::parser {

/// sum of a[i] b[i], in a fixed order of sixteen running sums.
float dot(const float* a, const float* b, std::size_t size);

/// out[h] += sum over i of matrix[h][i] vector[i]: inside terms of a rule from the sums of its pair.
void multiply(float* out, const float* matrix, const float* vector, std::size_t rows, std::size_t columns);

/// out[i] += sum over h of vector[h] matrix[h][i]: the other way round.
void multiply_transposed(float* out, const float* matrix, const float* vector, std::size_t rows,
                         std::size_t columns);

/// Inside terms of two neighbours.
struct Outer {
  const float* left = nullptr;
  std::size_t left_size = 0;
  const float* right = nullptr;
  std::size_t right_size = 0;
  float scale = 1;
};

/// out[g][k] += scale left[g] right[k]
void add_outer(float* out, const Outer& outer);

/// Outside terms of both neighbours from those of their pair:
/// left_out[g] += scale sums[g][k] right[k], right_out[k] += scale left[g] sums[g][k].
void push_outer(const float* sums, const Outer& outer, float* left_out, float* right_out);

}  // namespace firth::parser
