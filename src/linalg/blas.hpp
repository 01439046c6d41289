// The few dense kernels that Firth takes from BLAS and LAPACK, for float and double alike. Matrices are
// row-major. Calls run on the calling thread only: see SingleThreadedBlas.
#pragma once

#include <cstddef>
#include <span>

namespace firth::linalg {

/// While one of these lives, BLAS works on the calling thread only. Firth cuts its work into pieces of its
/// own whose sizes do not depend on the number of threads; a library that cuts once more would make sums
/// depend on it. The setting of the library is global, so it is counted, and put back by the last one to go.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

/// A row-major matrix somewhere in memory; `stride` elements from one row to the next.
template <typename T>
struct View {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;

  T* row(std::size_t i) const { return data + i * stride; }
  View block(std::size_t row, std::size_t height, std::size_t column, std::size_t width) const {
    return {data + row * stride + column, height, width, stride};
  }
};

/// c = alpha a b + beta c.
template <typename T>
void multiply(T alpha, View<const T> a, View<const T> b, T beta, View<T> c);

/// c = alpha a^T b + beta c.
template <typename T>
void multiply_transposed(T alpha, View<const T> a, View<const T> b, T beta, View<T> c);

/// c = alpha a b^T + beta c.
template <typename T>
void multiply_by_transposed(T alpha, View<const T> a, View<const T> b, T beta, View<T> c);

/// All eigenvalues, rising, of a symmetric matrix of which the triangle column >= row is read. Row i of
/// `matrix` becomes the eigenvector of value i. Throws std::runtime_error if the iteration fails.
template <typename T>
void symmetric_eigen(View<T> matrix, std::span<T> values);

/// Bytes that symmetric_eigen takes besides the matrix.
template <typename T>
constexpr std::size_t symmetric_eigen_bytes(std::size_t size) {
  return sizeof(T) * (2 * size * size + 7 * size + 1) + sizeof(int) * (5 * size + 3);
}

}  // namespace firth::linalg
