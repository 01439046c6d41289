// Files that change while they are mapped into memory.
#pragma once

namespace firth::cli {

/// A mapped file that is cut short or overwritten by somebody else makes reads fail with SIGBUS or SIGSEGV: from
/// now on that ends the command with a message and exit code 1. Other faults end it as before.
void handle_faults() noexcept;

}  // namespace firth::cli
