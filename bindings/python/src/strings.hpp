// Python's strings and ours. Ours are UTF-8; bytes that are not travel through Python as lone surrogates and come back.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <vector>

namespace firth::python {

namespace py = pybind11;

[[nodiscard]] py::str to_str(std::string_view text);
[[nodiscard]] std::string from_str(py::handle text);

/// Adds the UTF-8 of a str to `out`, without the copy that CPython would keep; false if it has lone surrogates.
[[nodiscard]] bool append_utf8(PyObject* text, std::string& out);

/// A path: str, bytes or os.PathLike.
[[nodiscard]] std::string from_path(py::handle path);

[[nodiscard]] py::list to_list(const std::vector<std::string>& texts);

}  // namespace firth::python
