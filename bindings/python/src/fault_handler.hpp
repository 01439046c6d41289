// Files that change while they are mapped into memory.
#pragma once

namespace firth::python {

/// A mapped file that is cut short or overwritten by somebody else ends the process with SIGBUS or SIGSEGV: from now
/// on not without a word. Handlers that are there already have the next word.
void name_changed_files() noexcept;

}  // namespace firth::python
