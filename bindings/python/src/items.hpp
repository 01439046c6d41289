// Items of a Python iterable, read a block at a time.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>

namespace firth::python {

namespace py = pybind11;

/// Iterates, numbers the items from 1, and says when a block took long enough.
class Items {
 public:
  /// Bytes in a block, about.
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

  Items(py::iterator items, std::string name);

  /// Begins a block.
  void begin_block();
  /// The next item, or a null object at the end or when the block shall end: see is_at_end().
  [[nodiscard]] py::object next(std::size_t bytes_so_far);
  [[nodiscard]] bool is_at_end() const { return at_end_; }

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Throws InputError about the current item.
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint) const;
  /// The same for an item of a wrong type.
  [[noreturn]] void refuse_type(py::handle item, const std::string& wanted, const std::string& hint) const;

 private:
  py::iterator items_;
  std::string name_;
  std::uint64_t number_ = 0;
  bool at_end_ = false;
  double deadline_ = 0;
};

}  // namespace firth::python
