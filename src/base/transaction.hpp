// Files that appear together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/folder_commit.hpp"
#include "base/pending_file.hpp"

namespace firth::base {

/// While one lives, files that this thread commits (OutputFile::commit) are kept back, complete and synced,
/// until the transaction commits; one that is not committed leaves nothing. A transaction inside another one
/// joins it: its files wait for the outer one.
class Transaction {
 public:
  Transaction();
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// The files in this folder are one result: they replace an earlier one as a whole. The folder is made if it
  /// is missing, when the transaction commits. Throws IoError if it cannot be written.
  void claim(const std::string& folder, IsStale is_stale = nullptr);

  /// Gives all files their names. Throws IoError; then single files may have theirs already, but a claimed
  /// folder is as it was.
  void commit();

  /// For OutputFile: the folder to make a file in that is to be `path`; "" = its own.
  static std::string place_for(const std::string& path);
  /// Takes a file over if a transaction is open.
  static bool take(PendingFile& file);

 private:
  struct State;
  std::unique_ptr<State> owned_;  ///< nothing for one that joined another
  State* state_;
  std::size_t files_before_;
  bool committed_ = false;
};

}  // namespace firth::base
