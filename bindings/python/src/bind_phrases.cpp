// Multi-word units.
#include <pybind11/stl.h>

#include <firth/phrases.hpp>

#include "bindings.hpp"
#include "input.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

PhraseOptions phrase_options(const py::dict& given) {
  PhraseOptions options;
  OptionReader reader("find_phrases()", given);
  reader.choice("score", options.score, {{"npmi", PhraseScore::npmi}, {"lr", PhraseScore::likelihood_ratio}})
      .value("threshold", options.threshold)
      .value("min_count", options.min_count)
      .value("max_words", options.max_words)
      .value("joiner", options.joiner)
      .finish();
  return options;
}

Phrases find(const Input& input, const py::dict& given, const py::dict& text, const RunArguments& run) {
  const PhraseOptions options = phrase_options(given);
  const TextOptions reading = text_options(text);
  return run_result(run, input.feed.get(),
                    [&](const RunOptions& to) { return find_phrases(input.inputs, options, reading, to); });
}

std::uint64_t join(const Phrases& phrases, const py::object& path, const Input& input, const py::dict& text,
                   const RunArguments& run) {
  const std::string output = from_path(path);
  const TextOptions reading = text_options(text);
  return run_result(run, input.feed.get(), [&](const RunOptions& to) {
    return join_phrases(output, input.inputs, phrases, reading, to);
  });
}

/// One tuple per phrase, in the order of the columns of a table.
py::list rows(const Phrases& phrases) {
  py::list list;
  for (const Phrase& phrase : phrases.list) {
    list.append(py::make_tuple(to_str(phrase.left), to_str(phrase.right), phrase.count, phrase.left_count,
                               phrase.right_count, phrase.score, phrase.round));
  }
  return list;
}

Phrases from_rows(const py::list& rows, const py::str& joiner) {
  Phrases phrases{{}, from_str(joiner)};
  for (const py::handle& row : rows) {
    const auto columns = py::cast<py::tuple>(row);
    phrases.list.push_back({.left = from_str(columns[0]),
                            .right = from_str(columns[1]),
                            .count = py::cast<Count>(columns[2]),
                            .left_count = py::cast<Count>(columns[3]),
                            .right_count = py::cast<Count>(columns[4]),
                            .score = py::cast<double>(columns[5]),
                            .round = py::cast<std::uint32_t>(columns[6])});
  }
  return phrases;
}

Phrases load(const py::object& path, const std::string& joiner, const RunArguments& run) {
  const std::string name = from_path(path);
  return run_result(run, nullptr, [&](const RunOptions& to) { return load_phrases(name, joiner, to); });
}

}  // namespace

void bind_phrases(py::module_& module) {
  py::class_<Phrases>(module, "Phrases", "Pairs of words that are one unit.")
      .def("rows", &rows)
      .def("joiner", [](const Phrases& phrases) { return to_str(phrases.joiner); })
      .def("format", [](const Phrases& phrases) { return py::bytes(format_phrases(phrases)); })
      .def("join", &join)
      .def_static("from_rows", &from_rows)
      .def_static("load", &load);
  module.def("find_phrases", &find);
}

}  // namespace firth::python
