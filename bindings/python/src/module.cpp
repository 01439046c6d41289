// The module firth._firth: a thin layer below the Python package, which is what users see.
#include <firth/version.hpp>

#include "bindings.hpp"
#include "errors.hpp"
#include "fault_handler.hpp"
#include "input.hpp"
#include "runner.hpp"
#include "vocabulary.hpp"

PYBIND11_MODULE(_firth, module) {
  using namespace firth::python;
  module.doc() = "The compiled part of firth; use the package.";
  module.attr("__version__") = firth::kVersion;
  register_errors();
  name_changed_files();
  bind_run(module);
  bind_input(module);
  bind_vocabulary(module);
  bind_counts(module);
  bind_clustering(module);
  bind_cluster(module);
  bind_vectors(module);
  bind_features(module);
  bind_report(module);
  bind_lm(module);
  bind_tagger(module);
  bind_hmm(module);
  bind_parser(module);
  bind_evaluate(module);
  bind_phrases(module);
  bind_prototypes(module);
}
