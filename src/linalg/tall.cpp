#include "linalg/tall.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "base/parallel.hpp"

namespace firth::linalg {
namespace {

constexpr std::size_t kPanelRows = 2048;
// Each group of panels has sums of its own: enough of them to keep many threads busy, few enough to add up.
constexpr std::size_t kGroups = 16;

std::size_t group_rows(std::size_t rows) {
  const std::size_t panels = (rows + kPanelRows - 1) / kPanelRows;
  return std::max<std::size_t>((panels + kGroups - 1) / kGroups, 1) * kPanelRows;
}

std::size_t group_count(std::size_t rows) {
  return (rows + group_rows(rows) - 1) / group_rows(rows);
}

template <typename T>
void add_group(View<const T> a, View<const T> b, double* sum, const RunOptions& run) {
  std::fill_n(sum, a.columns * b.columns, 0.0);
  Matrix<T> part(a.columns, b.columns);
  for (std::size_t row = 0; row < a.rows; row += kPanelRows) {
    run.check_stop();
    const std::size_t height = std::min(kPanelRows, a.rows - row);
    multiply_transposed<T>(1, a.block(row, height, 0, a.columns), b.block(row, height, 0, b.columns), 0,
                           part.view());
    const T* from = part.row(0);
    for (std::size_t i = 0; i < a.columns * b.columns; ++i) sum[i] += static_cast<double>(from[i]);
  }
}

}  // namespace

std::size_t tall_product_bytes(std::size_t rows, std::size_t entries) {
  return group_count(rows) * entries * 2 * sizeof(double);
}

base::Share tall_rows(std::size_t rows, const base::Ranks& ranks, unsigned rank) {
  const std::size_t height = group_rows(rows);
  const base::Share groups = ranks.share(group_count(rows), rank);
  return {std::min(groups.begin * height, rows), std::min(groups.end * height, rows)};
}

template <typename T>
void gather_tall_rows(View<T> all, const base::Ranks& ranks) {
  if (ranks.alone()) return;
  std::vector<std::size_t> begins;
  for (unsigned r = 0; r < ranks.size(); ++r)
    begins.push_back(tall_rows(all.rows, ranks, r).begin * all.stride * sizeof(T));
  begins.push_back(all.rows * all.stride * sizeof(T));
  ranks.world().gather(std::as_writable_bytes(std::span(all.row(0), all.rows * all.stride)), begins);
}

template <typename T>
Matrix<double> tall_product(View<const T> a, View<const T> b, std::size_t rows, const RunOptions& run) {
  const base::Ranks ranks(run);
  const std::size_t height = group_rows(rows);
  const std::size_t entries = a.columns * b.columns;
  Matrix<double> sums(group_count(rows), entries);
  const base::Share own = ranks.share(sums.rows());
  base::parallel_for(own.size(), 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t group = begin; group < end; ++group) {
      const std::size_t row = group * height;
      const std::size_t count = std::min(height, a.rows - row);
      add_group(a.block(row, count, 0, a.columns), b.block(row, count, 0, b.columns),
                sums.row(own.begin + group), run);
    }
  });
  if (entries > 0) ranks.gather(std::span(sums.row(0), sums.rows() * entries), entries);
  Matrix<double> total(a.columns, b.columns);
  total.fill(0);
  for (std::size_t group = 0; group < sums.rows(); ++group) {
    for (std::size_t i = 0; i < entries; ++i) total.row(0)[i] += sums.row(group)[i];
  }
  return total;
}

template <typename T>
Matrix<double> tall_product(View<const T> a, View<const T> b, const RunOptions& run) {
  RunOptions alone = run;
  alone.world = nullptr;
  return tall_product(a, b, a.rows, alone);
}

void root_symmetric_eigen(Matrix<double>& matrix, std::vector<double>& values, const base::Ranks& ranks) {
  if (ranks.is_root()) symmetric_eigen(matrix.view(), std::span(values));
  if (ranks.alone()) return;
  ranks.world().broadcast(std::as_writable_bytes(std::span(values)), 0);
  ranks.world().broadcast(std::as_writable_bytes(std::span(matrix.row(0), matrix.rows() * matrix.stride())),
                          0);
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

template void gather_tall_rows(View<float>, const base::Ranks&);
template void gather_tall_rows(View<double>, const base::Ranks&);
template Matrix<double> tall_product(View<const float>, View<const float>, const RunOptions&);
template Matrix<double> tall_product(View<const double>, View<const double>, const RunOptions&);
template Matrix<double> tall_product(View<const float>, View<const float>, std::size_t, const RunOptions&);
template Matrix<double> tall_product(View<const double>, View<const double>, std::size_t, const RunOptions&);
template void tall_subtract(View<const float>, const Matrix<float>&, View<float>, const RunOptions&);
template void tall_subtract(View<const double>, const Matrix<double>&, View<double>, const RunOptions&);
template void tall_transform(View<const float>, const Matrix<float>&, View<float>, const RunOptions&);
template void tall_transform(View<const double>, const Matrix<double>&, View<double>, const RunOptions&);

}  // namespace firth::linalg
