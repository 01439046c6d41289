// The file of a model.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "grammar/parser_model.hpp"

namespace firth::grammar {

/// Of a set of grammars, and of the trainings that one grammar is the product of.
inline constexpr std::size_t kMaxGrammars = 64;

/// A model from the bytes of its file, which `owner` keeps alive. Everything is checked: a hostile file gives
/// a FormatError, never a wrong step in memory.
std::shared_ptr<const ParserModel> read_parser_model(const std::string& path,
                                                     std::span<const std::byte> bytes,
                                                     std::shared_ptr<const void> owner);

}  // namespace firth::grammar
