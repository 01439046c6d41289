// The methods of clustering and their options, by name.
#pragma once

#include <pybind11/pybind11.h>

#include <firth/cluster.hpp>
#include <string>

namespace firth::python {

namespace py = pybind11;

/// A method with its options, and the files that can be read and written only with counts at hand.
struct MethodSettings {
  ClusterMethod method;
  std::string order_file = {};  ///< method 'brown': for BrownOptions::order
  std::string trace_file = {};  ///< method 'brown': for the events of BrownOptions::on_event
};

/// The settings of a dict. Throws UsageError for names that the method does not have.
[[nodiscard]] MethodSettings method_from(const std::string& name, const py::dict& given);

}  // namespace firth::python
