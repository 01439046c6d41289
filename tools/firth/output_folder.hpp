// The folder that a command writes into.
#pragma once

#include <string>

namespace firth::cli {

/// Makes the folder before the work begins, so that a wrong name is found out at once; a folder that it made
/// and that is still empty at the end (the work failed, or was interrupted) goes away again.
class OutputFolder {
 public:
  /// Throws IoError when the folder cannot be made.
  explicit OutputFolder(std::string path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

 private:
  std::string path_;
  bool made_ = false;
};

}  // namespace firth::cli
