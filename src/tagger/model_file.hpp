// The file of a tagger.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "tagger/model.hpp"

namespace firth::tagger {

/// A tagger from the bytes of its file. Everything is checked: a hostile file gives a FormatError, never a
/// wrong step in memory.
std::shared_ptr<const Model> read_model(const std::string& path, std::span<const std::byte> bytes);

}  // namespace firth::tagger
