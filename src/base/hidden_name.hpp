// The names that unfinished output has for a moment, and the removal of what a killed process left under one.
//
// Whoever makes such a name holds a lock (flock) on what it names; the lock goes with the process. So what has
// such a name and no lock belongs to nobody.
#pragma once

#include <string>
#include <string_view>

#include "base/file_system.hpp"

namespace firth::base {

/// ".firth-", twelve random letters, ".part".
std::string hidden_name();
bool is_hidden_name(std::string_view name);

/// Marks an open file or folder as in use. False if it lost its name meanwhile: somebody took it for a
/// leftover.
bool hold(int descriptor) noexcept;

/// Removes what killed processes left in a folder.
void remove_leftovers(const std::string& folder) noexcept;

/// Removes a folder with all that is in it.
void remove_tree(const std::string& folder) noexcept;

/// An empty folder with a hidden name, held; it goes away with its owner unless it was given another name.
class HiddenFolder {
 public:
  /// Makes it inside of `parent`. Throws IoError.
  explicit HiddenFolder(const std::string& parent);
  ~HiddenFolder();
  HiddenFolder(const HiddenFolder&) = delete;
  HiddenFolder& operator=(const HiddenFolder&) = delete;

  const std::string& path() const noexcept { return path_; }
  int descriptor() const noexcept { return open_.get(); }
  /// It has its final name now.
  void keep() noexcept { path_.clear(); }

 private:
  std::string path_;
  Descriptor open_;
};

}  // namespace firth::base
