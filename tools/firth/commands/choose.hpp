// What a choice of the number of classes says, for all commands that make one.
#pragma once

#include <firth/choose.hpp>
#include <string>

namespace firth::cli {

/// One line: the number, and what fewer classes would cost.
std::string choice_text(const ClassChoice& choice);

}  // namespace firth::cli
