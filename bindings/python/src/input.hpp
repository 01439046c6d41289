// What a call reads: paths, or an iterable of Python's that is turned into blocks on the calling thread.
#pragma once

#include <pybind11/pybind11.h>

#include <firth/inputs.hpp>
#include <memory>

#include "runner.hpp"

namespace firth::python {

namespace py = pybind11;

/// Inputs of the library, and who fills them.
struct Input {
  Inputs inputs;
  std::shared_ptr<Feed> feed = nullptr;  ///< nullptr for paths
};

/// Every item is str or bytes. With `lines` it is a line or several, and a line end is added where there is none; else items
/// are pieces of a text.
[[nodiscard]] Input text_input(py::iterator items, const std::string& name, bool check_utf8, bool lines);
/// Every item is a sequence of words.
[[nodiscard]] Input token_input(py::iterator items, const std::string& name);
/// Every item is a sequence of numbers; names[number] is the word.
[[nodiscard]] Input id_input(py::iterator items, std::vector<std::string> names, const std::string& name);
/// A column of strings from a capsule "arrow_array_stream".
[[nodiscard]] Input arrow_input(const py::capsule& stream, const std::string& column,
                                const std::string& name);

void bind_input(py::module_& module);

}  // namespace firth::python
