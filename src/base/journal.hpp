// What a writer of a folder is about to do there, so that another process can finish it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/file_system.hpp"

namespace firth::base {

struct Journal {
  std::vector<std::pair<std::string, std::string>> renames;  ///< hidden name, final name
  std::vector<std::string> removals;
};

/// Keeps other writers out of a folder while it lives. Where there are no locks, it does nothing.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);

 private:
  Descriptor open_;
};

bool has_journal(const std::string& folder);

/// From now on the folder counts as changed: complete or not at all. Throws IoError.
void write_journal(const std::string& folder, const Journal& journal);

/// Does what the journal says, if there is one, and removes it. The caller has the lock. Throws IoError,
/// FormatError.
void finish_journal(const std::string& folder);

/// The same for readers: takes the lock if there is a journal.
void settle_folder(const std::string& folder);

}  // namespace firth::base
