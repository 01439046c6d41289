// Classes of words as numbers and features of tokens.
#include <pybind11/stl.h>

#include <firth/features.hpp>
#include <firth/text.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "options.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

ClassFeatures make_features(const Clustering& clustering, const py::dict& given) {
  ClassFeatureOptions options;
  int window = 0;
  OptionReader reader("features()", given);
  reader.value("prefixes", options.prefixes)
      .value("full", options.full)
      .value("cuts", options.cuts)
      .value("window", window)
      .choice("unknown", options.unknown,
              {{"spelling", UnknownWordClass::spelling},
               {"lowercase", UnknownWordClass::lowercase},
               {"none", UnknownWordClass::none}})
      .finish();
  const py::gil_scoped_release release;
  return ClassFeatures(clustering, options, window);
}

/// The class of each token, `missing` for those without one.
py::array encode(ClassFeatures& features, const py::iterable& tokens, std::int64_t missing) {
  std::vector<std::int64_t> classes;
  std::string word;
  for (const py::handle& token : tokens) {
    word.clear();
    if (!PyUnicode_Check(token.ptr()) || !append_utf8(token.ptr(), word)) word = from_str(token);
    const ClassId found = features.class_of(word);
    classes.push_back(found == kNoClass ? missing : static_cast<std::int64_t>(found));
  }
  return array_of(std::move(classes));
}

/// One dict per token.
py::list features_of(ClassFeatures& features, const std::vector<std::string>& tokens) {
  const std::vector<std::string_view> words(tokens.begin(), tokens.end());
  py::list rows;
  for (const std::vector<ClassFeature>& row : features.of(words)) {
    py::dict values;
    for (const ClassFeature& feature : row) values[to_str(feature.name)] = to_str(feature.value);
    rows.append(values);
  }
  return rows;
}

}  // namespace

void bind_features(py::module_& module) {
  py::class_<ClassFeatures>(module, "ClassFeatures", "Features of tokens.")
      .def(py::init(&make_features))
      .def("names",
           [](const ClassFeatures& features) {
             return std::vector<std::string>(features.names().begin(), features.names().end());
           })
      .def("encode", &encode)
      .def("features", &features_of);
  module.def("line_words", [](const std::string& line, bool lowercase, bool tokenize) {
    return to_list(line_words(line, {.lowercase = lowercase, .tokenize = tokenize}));
  });
}

}  // namespace firth::python
