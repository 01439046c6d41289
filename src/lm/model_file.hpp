// The binary model.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "firth/class_lm.hpp"

namespace firth::lm {

/// Whether the bytes start like a model of Firth.
bool is_model_file(std::span<const std::byte> begin);

/// A model from the bytes of its file, which `owner` keeps alive. Everything is checked: a hostile file gives
/// a FormatError, never a wrong step in memory.
LanguageModel read_model(const std::string& path, std::span<const std::byte> bytes,
                         const std::shared_ptr<const void>& owner);

}  // namespace firth::lm
