// The methods of clustering and their options, by name.
#pragma once

#include <pybind11/pybind11.h>

#include <firth/cluster.hpp>
#include <string>

namespace firth::python {

namespace py = pybind11;

/// A method with the options of a dict. Throws UsageError for names that it does not have.
[[nodiscard]] ClusterMethod method_from(const std::string& name, const py::dict& given);

}  // namespace firth::python
