// What each file adds to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace firth::python {

void bind_counts(pybind11::module_& module);
void bind_clustering(pybind11::module_& module);
void bind_cluster(pybind11::module_& module);
void bind_vectors(pybind11::module_& module);
void bind_lm(pybind11::module_& module);
void bind_tagger(pybind11::module_& module);
void bind_hmm(pybind11::module_& module);
void bind_parser(pybind11::module_& module);
void bind_report(pybind11::module_& module);
void bind_features(pybind11::module_& module);
void bind_evaluate(pybind11::module_& module);
void bind_phrases(pybind11::module_& module);
void bind_prototypes(pybind11::module_& module);

}  // namespace firth::python
