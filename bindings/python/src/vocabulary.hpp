// The words of counts, clusterings and vectors, as a sequence that Python can look into.
#pragma once

#include <pybind11/pybind11.h>

#include <firth/counts.hpp>
#include <memory>
#include <mutex>

namespace firth::python {

namespace py = pybind11;

/// A vocabulary with an index that is made when it is first needed. Used with the GIL held.
class Words {
 public:
  explicit Words(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  [[nodiscard]] std::optional<WordId> find(std::string_view word) const {
    if (!index_) index_ = std::make_shared<WordIndex>(vocabulary_);
    return index_->find(word);
  }

 private:
  Vocabulary vocabulary_;
  mutable std::shared_ptr<const WordIndex> index_;
};

void bind_vocabulary(py::module_& module);

}  // namespace firth::python
