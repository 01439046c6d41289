#include "vocabulary.hpp"

#include "arrays.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

py::str word_at(const Words& words, py::ssize_t number) {
  const auto size = static_cast<py::ssize_t>(words.vocabulary().size());
  if (number < 0) number += size;
  if (number < 0 || number >= size) throw py::index_error("word number out of range");
  return to_str(words.vocabulary().word(static_cast<WordId>(number)));
}

py::list word_list(const Words& words) {
  const Vocabulary& vocabulary = words.vocabulary();
  py::list list(vocabulary.size());
  for (std::size_t i = 0; i < vocabulary.size(); ++i)
    list[i] = to_str(vocabulary.word(static_cast<WordId>(i)));
  return list;
}

/// The number of a word, or -1.
py::ssize_t find_word(const Words& words, const py::handle& word) {
  const auto found = words.find(from_str(word));
  return found ? static_cast<py::ssize_t>(*found) : -1;
}

const Vocabulary& vocabulary_of(const py::object& self) {
  return py::cast<const Words&>(self).vocabulary();
}

}  // namespace

void bind_vocabulary(py::module_& module) {
  py::class_<Words>(module, "Words", "Words by falling count.")
      .def("__len__", [](const Words& words) { return words.vocabulary().size(); })
      .def("word", &word_at)
      .def("find", &find_word)
      .def("to_list", &word_list)
      .def("counts", [](const py::object& self) { return view_of(vocabulary_of(self).counts(), self); })
      .def("offsets", [](const py::object& self) { return view_of(vocabulary_of(self).offsets(), self); })
      .def("bytes", [](const py::object& self) {
        const std::string_view bytes = vocabulary_of(self).bytes();
        const std::span values(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        return view_of(values, self);
      });
}

}  // namespace firth::python
