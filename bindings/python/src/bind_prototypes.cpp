// Words that stand for classes, and tags by them.
#include <pybind11/stl.h>

#include <firth/prototypes.hpp>

#include "bindings.hpp"
#include "input.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

py::list rows(const std::vector<Prototype>& prototypes) {
  py::list list;
  for (const Prototype& each : prototypes) {
    list.append(py::make_tuple(to_str(each.word), to_str(each.tag), each.class_id, each.tokens,
                               to_list(each.contexts)));
  }
  return list;
}

py::list choose(const Clustering& classes, const Input& input, const py::dict& given, const py::dict& text,
                const RunArguments& run) {
  PrototypeOptions options;
  OptionReader reader("prototypes()", given);
  reader.value("contexts", options.contexts).value("width", options.width).finish();
  options.text = text_options(text);
  return rows(run_result(run, input.feed.get(), [&](const RunOptions& to) {
    return choose_prototypes(classes, input.inputs, options, to);
  }));
}

Prototype prototype_from(const py::handle& row) {
  const auto columns = py::cast<py::tuple>(row);
  Prototype prototype{.word = from_str(columns[0]),
                      .tag = from_str(columns[1]),
                      .class_id = py::cast<ClassId>(columns[2]),
                      .tokens = py::cast<Count>(columns[3])};
  for (const py::handle& context : columns[4]) prototype.contexts.push_back(from_str(context));
  return prototype;
}

std::vector<Prototype> prototypes_from(const py::list& given) {
  std::vector<Prototype> prototypes;
  for (const py::handle& row : given) prototypes.push_back(prototype_from(row));
  return prototypes;
}

struct TaggedWords {
  std::vector<std::vector<std::string>> words;
  std::vector<std::vector<std::string>> tags;
};

py::list pairs_of(const TaggedWords& tagged) {
  py::list sentences;
  for (std::size_t i = 0; i < tagged.words.size(); ++i) {
    py::list sentence;
    for (std::size_t j = 0; j < tagged.words[i].size(); ++j) {
      sentence.append(py::make_tuple(to_str(tagged.words[i][j]), to_str(tagged.tags[i][j])));
    }
    sentences.append(sentence);
  }
  return sentences;
}

py::list tag(const PrototypeTagger& tagger, const Input& input, const py::dict& text,
             const RunArguments& run) {
  const TextOptions reading = text_options(text);
  return pairs_of(run_result(run, input.feed.get(), [&](const RunOptions& to) {
    TaggedWords tagged;
    tagger.tag(
        input.inputs, reading,
        [&](auto words, auto tags) {
          tagged.words.emplace_back(words.begin(), words.end());
          tagged.tags.emplace_back(tags.begin(), tags.end());
        },
        to);
    return tagged;
  }));
}

}  // namespace

void bind_prototypes(py::module_& module) {
  module.def("choose_prototypes", &choose);
  module.def("save_prototypes", [](const py::object& path, const py::list& prototypes) {
    save_prototypes(from_path(path), prototypes_from(prototypes));
  });
  module.def("load_prototypes",
             [](const py::object& path) { return rows(load_prototypes(from_path(path))); });
  py::class_<PrototypeTagger>(module, "PrototypeTagger", "Tags words by the prototypes of their classes.")
      .def(py::init([](const Clustering& classes, const py::list& prototypes) {
        return PrototypeTagger(classes, prototypes_from(prototypes));
      }))
      .def("tag", &tag);
}

}  // namespace firth::python
