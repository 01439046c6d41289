// A folder as one thing: its new files replace the old ones together, whenever the process may be killed.
//
// A new folder is made under a hidden name and renamed. An old one is exchanged with a hidden one that has the
// new files and links to everything in the old one that does not belong to the result. Where that cannot be
// done (a mount point, the working folder, folders inside, a file system without the exchange), a journal in
// the folder lists what is to be renamed before the first file is; whoever reads or writes the folder next
// finishes the work of a process that was killed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/pending_file.hpp"

namespace firth::base {

/// Whether a file of this name belongs to an earlier result, and goes when a new one comes.
using IsStale = std::function<bool(std::string_view name)>;

/// Gives all files their names. They are synced, and their targets are in `folder`. Throws IoError.
void commit_folder(const std::string& folder, std::span<PendingFile* const> files, const IsStale& is_stale);

/// Throws IoError if the folder could not be made or written into.
void check_output_folder(const std::string& path);

/// Reads files of a folder that belong together: finishes what a killed writer began, and calls `read` again
/// if a writer came in between. `names`: the files that `read` may open. Throws what `read` throws, and IoError.
void read_together(const std::string& folder, std::span<const std::string> names,
                   const std::function<void()>& read);

}  // namespace firth::base
