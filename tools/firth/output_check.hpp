// The paths on a command line: what can be said of outputs before the work begins, and names for messages.
#pragma once

#include <string>

#include "option_table.hpp"

namespace firth::cli {

/// Throws IoError if an output could not be written, UsageError if two of them are the same file or one is an
/// input.
void check_outputs(const OptionTable& options);

/// Whether the command reads a list of inputs that must be given.
bool takes_inputs(const OptionTable& options);

/// The paths on the command line that are read, for messages: "a, b and 3 more"; "" if there are none.
std::string input_names(const OptionTable& options);

}  // namespace firth::cli
