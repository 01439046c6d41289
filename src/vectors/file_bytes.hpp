// The bytes of a file of vectors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "firth/run.hpp"

namespace firth::vectors {

/// The whole content of a file: mapped where it is plain, decompressed into memory where it is not, so that
/// a plain file costs no memory of its own.
class FileBytes {
 public:
  /// Throws IoError, InputError, Cancelled.
  FileBytes(const std::string& path, const RunOptions& run);

  [[nodiscard]] std::string_view view() const noexcept { return view_; }
  /// Whether the view is the file itself.
  [[nodiscard]] bool mapped() const noexcept { return mapped_.has_value(); }

 private:
  std::optional<base::MappedFile> mapped_;
  std::string decompressed_;
  std::string_view view_;
};

}  // namespace firth::vectors
