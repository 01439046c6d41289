// Standard input, output and error as the process got them.
#pragma once

namespace firth::cli {

/// Gives descriptors 0 to 2 that are closed something that can be neither read (0) nor written (1, 2), so that
/// no file of ours gets their numbers and whoever uses them is told. To be called before anything is opened.
void fill_standard_streams() noexcept;

/// Somebody pipes text into the command, or says `< text.txt`.
bool is_input_piped() noexcept;

}  // namespace firth::cli
