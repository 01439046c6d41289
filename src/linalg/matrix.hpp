// A dense row-major matrix that is not cleared when it is made: the big ones are written before they are
// read, and touching gigabytes twice costs seconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "linalg/blas.hpp"

namespace firth::linalg {

/// Memory in large pages where the system has them; contents are undefined.
void* allocate_pages(std::size_t bytes);
void free_pages(void* memory) noexcept;

template <typename T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns) : Matrix(rows, columns, columns) {}
  Matrix(std::size_t rows, std::size_t columns, std::size_t stride)
      : data_(static_cast<T*>(allocate_pages(rows * stride * sizeof(T)))),
        rows_(rows),
        columns_(columns),
        stride_(stride) {}

  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }
  std::size_t stride() const noexcept { return stride_; }
  T* row(std::size_t i) { return data_.get() + i * stride_; }
  const T* row(std::size_t i) const { return data_.get() + i * stride_; }
  T& operator()(std::size_t i, std::size_t j) { return row(i)[j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return row(i)[j]; }
  View<T> view() { return {data_.get(), rows_, columns_, stride_}; }
  View<const T> view() const { return {data_.get(), rows_, columns_, stride_}; }
  void fill(T value) { std::fill(data_.get(), data_.get() + rows_ * stride_, value); }

 private:
  struct Release {
    void operator()(T* memory) const noexcept { free_pages(memory); }
  };
  std::unique_ptr<T, Release> data_;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t stride_ = 0;
};

/// A row length >= columns that is an odd multiple of 64 bytes: rows of a power of two would all fall into
/// the same few cache sets.
template <typename T>
constexpr std::size_t padded_stride(std::size_t columns) {
  constexpr std::size_t line = 64 / sizeof(T);
  const std::size_t lines = (columns + line - 1) / line;
  return (lines | 1) * line;
}

}  // namespace firth::linalg
