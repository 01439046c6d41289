// One page to look at a clustering.
#include <pybind11/stl.h>

#include <firth/gold_tags.hpp>
#include <firth/report.hpp>

#include "bindings.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

/// What a page is made of, as far as it is read or computed for it.
struct Sources {
  ReportContents contents;
  std::vector<std::string> texts;  ///< paths for the concordance
  std::vector<std::string> gold;   ///< paths of tagged texts
  TextOptions text;
};

template <class T>
const T* pointer_from(OptionReader& reader, const char* name) {
  const py::object given = reader.take(name);
  return given.is_none() ? nullptr : py::cast<const T*>(given);
}

Sources sources_from(const py::dict& given) {
  Sources sources;
  OptionReader reader("report()", given);
  reader.value("title", sources.contents.title)
      .value("max_words", sources.contents.max_words)
      .value("run_json", sources.contents.run_json)
      .value("other_name", sources.contents.other_name)
      .value("texts", sources.texts)
      .value("gold", sources.gold)
      .value("lowercase", sources.text.lowercase)
      .value("tokenize", sources.text.tokenize);
  read_normalization(reader, sources.text.normalize);
  sources.contents.counts = pointer_from<Counts>(reader, "counts");
  sources.contents.vectors = pointer_from<WordVectors>(reader, "vectors");
  sources.contents.other = pointer_from<Clustering>(reader, "other");
  reader.finish();
  return sources;
}

std::string page(const Clustering& clustering, Sources& sources, const RunOptions& run) {
  if (!sources.texts.empty()) {
    sources.contents.lines = concordance(clustering, sources.texts, sources.text, {}, run);
  }
  GoldText gold;
  if (!sources.gold.empty()) {
    gold = read_tagged_text(sources.gold,
                            {.lowercase = sources.text.lowercase,
                             .normalize = sources.text.normalize,
                             .invalid_utf8 = sources.text.invalid_utf8},
                            run);
    sources.contents.gold = &gold;
  }
  return build_report(clustering, sources.contents, run);
}

py::str make_report(const Clustering& clustering, const py::dict& given, const RunArguments& run) {
  Sources sources = sources_from(given);
  return to_str(
      run_result(run, nullptr, [&](const RunOptions& to) { return page(clustering, sources, to); }));
}

}  // namespace

void bind_report(py::module_& module) {
  module.def("report", &make_report);
  module.def("save_report", [](const py::object& path, const py::str& html) {
    save_report(from_path(path), from_str(html));
  });
}

}  // namespace firth::python
