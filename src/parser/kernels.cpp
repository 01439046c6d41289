#include "parser/kernels.hpp"

#include "base/simd.hpp"

namespace firth::parser {
namespace {

constexpr std::size_t kLanes = 16;

// Inlined into every clone below.
inline float dot_inline(const float* a, const float* b, std::size_t size) {
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += a[i + l] * b[i + l];
  }
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  }
  float sum = lanes[0];
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

inline void add_scaled_inline(float* to, const float* from, float factor, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] += factor * from[i];
}

}  // namespace

FIRTH_CLONES
float dot(const float* a, const float* b, std::size_t size) {
  return dot_inline(a, b, size);
}

FIRTH_CLONES
void multiply(float* out, const float* matrix, const float* vector, std::size_t rows, std::size_t columns) {
  for (std::size_t h = 0; h < rows; ++h) out[h] += dot_inline(matrix + h * columns, vector, columns);
}

FIRTH_CLONES
void multiply_transposed(float* out, const float* matrix, const float* vector, std::size_t rows,
                         std::size_t columns) {
  for (std::size_t h = 0; h < rows; ++h) add_scaled_inline(out, matrix + h * columns, vector[h], columns);
}

FIRTH_CLONES
void add_outer(float* out, const Outer& outer) {
  for (std::size_t g = 0; g < outer.left_size; ++g) {
    add_scaled_inline(out + g * outer.right_size, outer.right, outer.scale * outer.left[g], outer.right_size);
  }
}

FIRTH_CLONES
void push_outer(const float* sums, const Outer& outer, float* left_out, float* right_out) {
  for (std::size_t g = 0; g < outer.left_size; ++g) {
    const float* row = sums + g * outer.right_size;
    left_out[g] += outer.scale * dot_inline(row, outer.right, outer.right_size);
    add_scaled_inline(right_out, row, outer.scale * outer.left[g], outer.right_size);
  }
}

}  // namespace firth::parser
