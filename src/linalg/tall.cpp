#include "linalg/tall.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"

namespace firth::linalg {
namespace {

constexpr std::size_t kPanelRows = 2048;
// Each group of panels has sums of its own: enough of them to keep many threads busy, few enough to add up.
constexpr std::size_t kGroups = 16;

std::size_t group_rows(std::size_t rows) {
  const std::size_t panels = (rows + kPanelRows - 1) / kPanelRows;
  return (panels + kGroups - 1) / kGroups * kPanelRows;
}

template <typename T>
void add_group(View<const T> a, View<const T> b, Matrix<double>& sum, const RunOptions& run) {
  sum.fill(0);
  Matrix<T> part(a.columns, b.columns);
  for (std::size_t row = 0; row < a.rows; row += kPanelRows) {
    run.check_stop();
    const std::size_t height = std::min(kPanelRows, a.rows - row);
    multiply_transposed<T>(1, a.block(row, height, 0, a.columns), b.block(row, height, 0, b.columns), 0,
                           part.view());
    double* to = sum.row(0);
    const T* from = part.row(0);
    for (std::size_t i = 0; i < a.columns * b.columns; ++i) to[i] += static_cast<double>(from[i]);
  }
}

}  // namespace

std::size_t tall_product_bytes(std::size_t rows, std::size_t entries) {
  const std::size_t height = std::max<std::size_t>(group_rows(rows), 1);
  return (rows + height - 1) / height * entries * 2 * sizeof(double);
}

template <typename T>
Matrix<double> tall_product(View<const T> a, View<const T> b, const RunOptions& run) {
  const std::size_t height = std::max<std::size_t>(group_rows(a.rows), 1);
  std::vector<Matrix<double>> sums((a.rows + height - 1) / height);
  base::parallel_for(sums.size(), 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t group = begin; group < end; ++group) {
      const std::size_t row = group * height;
      const std::size_t rows = std::min(height, a.rows - row);
      sums[group] = Matrix<double>(a.columns, b.columns);
      add_group(a.block(row, rows, 0, a.columns), b.block(row, rows, 0, b.columns), sums[group], run);
    }
  });
  Matrix<double> total(a.columns, b.columns);
  total.fill(0);
  for (const Matrix<double>& sum : sums) {
    for (std::size_t i = 0; i < a.columns * b.columns; ++i) total.row(0)[i] += sum.row(0)[i];
  }
  return total;
}

template <typename T>
void tall_subtract(View<const T> q, const Matrix<T>& c, View<T> y, const RunOptions& run) {
  base::parallel_for(q.rows, kPanelRows, run.threads, [&](std::size_t begin, std::size_t end) {
    run.check_stop();
    multiply<T>(-1, q.block(begin, end - begin, 0, q.columns), c.view(), 1,
                y.block(begin, end - begin, 0, y.columns));
  });
}

template <typename T>
void tall_transform(View<const T> q, const Matrix<T>& c, View<T> y, const RunOptions& run) {
  base::parallel_for(q.rows, kPanelRows, run.threads, [&](std::size_t begin, std::size_t end) {
    run.check_stop();
    Matrix<T> part(end - begin, y.columns);
    multiply<T>(1, q.block(begin, end - begin, 0, q.columns), c.view(), 0, part.view());
    for (std::size_t i = begin; i < end; ++i) std::copy_n(part.row(i - begin), y.columns, y.row(i));
  });
}

template Matrix<double> tall_product(View<const float>, View<const float>, const RunOptions&);
template Matrix<double> tall_product(View<const double>, View<const double>, const RunOptions&);
template void tall_subtract(View<const float>, const Matrix<float>&, View<float>, const RunOptions&);
template void tall_subtract(View<const double>, const Matrix<double>&, View<double>, const RunOptions&);
template void tall_transform(View<const float>, const Matrix<float>&, View<float>, const RunOptions&);
template void tall_transform(View<const double>, const Matrix<double>&, View<double>, const RunOptions&);

}  // namespace firth::linalg
