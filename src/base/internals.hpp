// The inside of public models, for the library only.
#pragma once

#include <utility>

namespace firth::detail {

/// The friend of every model: what it holds is no part of the interface.
struct ModelAccess {
  template <class Model>
  static const auto& internals(const Model& model) {
    return model.internals();
  }
  template <class Model, class Inside>
  static Model make(Inside inside) {
    return Model(std::move(inside));
  }
};

}  // namespace firth::detail

namespace firth::base {

template <class Model>
const auto& internals(const Model& model) {
  return detail::ModelAccess::internals(model);
}

}  // namespace firth::base
