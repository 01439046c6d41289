// Arrays of the library as numpy arrays: views where the library keeps them, copies otherwise.
#pragma once

#include <pybind11/numpy.h>

#include <span>
#include <vector>

namespace firth::python {

namespace py = pybind11;

/// A read-only view; `owner` stays alive as long as the array.
template <class T>
py::array view_of(std::span<const T> values, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array array(py::dtype::of<T>(), std::move(shape), values.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

template <class T>
py::array view_of(std::span<const T> values, const py::object& owner) {
  return view_of(values, {static_cast<py::ssize_t>(values.size())}, owner);
}

/// An array that owns the values; nothing is copied.
template <class T>
py::array array_of(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* data) { delete static_cast<std::vector<T>*>(data); });
  return py::array(py::dtype::of<T>(), {static_cast<py::ssize_t>(kept->size())}, kept->data(), owner);
}

}  // namespace firth::python
