#include "linalg/gram_operator.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "linalg/tall.hpp"

namespace firth::linalg {
namespace {

constexpr std::size_t kCopyRows = 4096;

/// panel = diag(scale) x, the columns that x lacks being 0.
template <typename T>
void scale_into(View<const T> x, const T* scale, View<T> panel, unsigned threads) {
  base::parallel_for(x.rows, kCopyRows, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const T* from = x.row(i);
      T* to = panel.row(i);
      for (std::size_t j = 0; j < x.columns; ++j) to[j] = scale[i] * from[j];
      std::fill(to + x.columns, to + panel.columns, T{0});
    }
  });
}

}  // namespace

template <typename T>
GramOperator<T>::GramOperator(std::vector<T> left, std::vector<Block> blocks, RowShares shares)
    : shares_(std::move(shares)),
      left_(std::move(left)),
      blocks_(std::move(blocks)),
      active_(left_.size(), 0) {
  for (const Block& block : blocks_) {
    for (std::size_t i = 0; i < size(); ++i) {
      if (block.matrix->offsets[i + 1] > block.matrix->offsets[i]) active_[i] = 1;
    }
  }
  shares_.gather(std::span(active_), 1);
  active_count_ = static_cast<std::size_t>(std::count(active_.begin(), active_.end(), 1));
}

template <typename T>
void GramOperator<T>::multiply_blocks(const Matrix<T>& in, Matrix<T>& middle, Matrix<T>& out,
                                      const RunOptions& run) const {
  const std::size_t width = in.columns();
  const base::Share own = shares_.own(size());
  for (const Block& block : blocks_) {
    const T* squared = block.right_squared.empty() ? nullptr : block.right_squared.data();
    multiply_panel(PanelProduct<T>{*block.transpose, in.row(0), middle.row(0), width, own, squared}, run);
    shares_.gather(std::span(middle.row(0), size() * width), width);
    multiply_panel(PanelProduct<T>{*block.matrix, middle.row(0), out.row(0), width, own, nullptr,
                                   &block != &blocks_.front()},
                   run);
  }
  shares_.gather(std::span(out.row(0), size() * width), width);
}

template <typename T>
void GramOperator<T>::apply(View<const T> x, View<T> y, const RunOptions& run) const {
  const std::size_t width = x.columns <= kNarrowPanel ? kNarrowPanel : kWidePanel;
  const base::Share rows = tall_rows(size(), shares_.ranks);
  const T* scale = left_.data() + rows.begin;
  Matrix<T> in(size(), width);
  Matrix<T> middle(size(), width);
  Matrix<T> out(size(), width);
  for (std::size_t column = 0; column < x.columns; column += width) {
    const std::size_t columns = std::min(width, x.columns - column);
    scale_into(x.block(0, x.rows, column, columns), scale, in.view().block(rows.begin, x.rows, 0, width),
               run.threads);
    gather_tall_rows(in.view(), shares_.ranks);
    multiply_blocks(in, middle, out, run);
    const View<T> target = y.block(0, y.rows, column, columns);
    const View<const T> source = {out.row(rows.begin), y.rows, columns, width};
    scale_into(source, scale, target, run.threads);
  }
}

template class GramOperator<float>;
template class GramOperator<double>;

}  // namespace firth::linalg
