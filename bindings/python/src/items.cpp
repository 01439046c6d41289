#include "items.hpp"

#include <chrono>
#include <firth/error.hpp>

namespace firth::python {
namespace {

/// A slow iterable gives what it has after this many seconds: progress and Ctrl-C do not wait for a full block.
constexpr double kBlockSeconds = 0.02;

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Items::Items(py::iterator items, std::string name) : items_(std::move(items)), name_(std::move(name)) {}

void Items::begin_block() {
  deadline_ = now_seconds() + kBlockSeconds;
}

py::object Items::next(std::size_t bytes_so_far) {
  const bool look = number_ % 64 == 0 || bytes_so_far == 0;
  if (bytes_so_far >= kBlockBytes || (look && bytes_so_far > 0 && now_seconds() >= deadline_)) return {};
  PyObject* item = PyIter_Next(items_.ptr());
  if (item == nullptr) {
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    at_end_ = true;
    return {};
  }
  ++number_;
  return py::reinterpret_steal<py::object>(item);
}

void Items::refuse(const std::string& problem, const std::string& hint) const {
  throw InputError({.path = name_, .line = number_}, "item " + std::to_string(number_) + " " + problem, hint);
}

void Items::refuse_type(py::handle item, const std::string& wanted, const std::string& hint) const {
  const std::string type = item.is_none() ? "None" : std::string("of type ") + Py_TYPE(item.ptr())->tp_name;
  const bool missing = item.is_none() || PyFloat_Check(item.ptr()) != 0;
  refuse("is " + type + ", not " + wanted, missing ? "leave missing values out (in pandas: dropna())" : hint);
}

}  // namespace firth::python
