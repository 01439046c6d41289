#include "output_folder.hpp"

#include <filesystem>
#include <firth/error.hpp>
#include <system_error>
#include <utility>

namespace firth::cli {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  std::error_code error;
  made_ = fs::create_directories(path_, error);
  if (!error && !fs::is_directory(path_, error) && !error)
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw IoError(path_, "cannot make the folder", error.value());
}

OutputFolder::~OutputFolder() {
  std::error_code not_empty;
  if (made_) fs::remove(path_, not_empty);
}

}  // namespace firth::cli
