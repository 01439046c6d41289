// Keyword arguments of Python into option structs of the library.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <firth/checkpoint.hpp>
#include <firth/count.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firth::python {

namespace py = pybind11;

/// Takes options out of a dict one by one; what nobody took is an error.
class OptionReader {
 public:
  /// `what` the options are for, e.g. "method 'brown'".
  OptionReader(std::string what, const py::dict& given) : what_(std::move(what)), given_(given) {}

  /// The value of `name` into `field`, if it is given and not None.
  template <class T>
  OptionReader& value(const char* name, T& field) {
    const py::object given = take(name);
    if (given.is_none()) return *this;
    try {
      field = py::cast<T>(given);
    } catch (const py::cast_error&) {
      refuse(name, given);
    }
    return *this;
  }

  template <class T>
  OptionReader& choice(const char* name, T& field, std::initializer_list<std::pair<const char*, T>> choices) {
    const py::object given = take(name);
    if (given.is_none()) return *this;
    std::vector<std::string> names;
    for (const auto& [word, meaning] : choices) {
      names.emplace_back(word);
      if (py::isinstance<py::str>(given) && py::cast<std::string>(given) == word) {
        field = meaning;
        return *this;
      }
    }
    refuse_choice(name, given, names);
  }

  OptionReader& path(const char* name, std::string& field);

  /// The value itself; None if it is not given.
  [[nodiscard]] py::object take(const char* name);

  /// Throws UsageError for what is left.
  void finish() const;

 private:
  [[noreturn]] void refuse(const char* name, const py::object& given) const;
  [[noreturn]] void refuse_choice(const char* name, const py::object& given,
                                  const std::vector<std::string>& names) const;

  std::string what_;
  py::dict given_;
  std::vector<std::string> known_;
};

/// checkpoint, checkpoint_seconds and resume.
void read_checkpoint_options(OptionReader& reader, CheckpointOptions& checkpoint);
void read_text_options(OptionReader& reader, TextOptions& text);
void read_normalization(OptionReader& reader, Normalization& form);
void read_vocabulary_options(OptionReader& reader, VocabularyOptions& vocabulary);
[[nodiscard]] CountOptions count_options(const py::dict& given);
[[nodiscard]] TextOptions text_options(const py::dict& given);

/// How a text was read as options of text; None if it is not known.
[[nodiscard]] py::object as_options(const std::optional<Preprocessing>& done);

}  // namespace firth::python
