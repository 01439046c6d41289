#include <array>
#include <filesystem>
#include <system_error>

#include "base/files.hpp"
#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "lm/arpa_read.hpp"
#include "lm/model_file.hpp"
#include "text/byte_source.hpp"

namespace firth {
namespace {

/// Classes are taken for models by people in a hurry.
void refuse_folder(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(path, unknown)) return;
  const bool has_classes = std::filesystem::exists(path + "/paths", unknown) ||
                           std::filesystem::exists(path + "/classes.tsv", unknown);
  throw InputError({path},
                   has_classes ? "this is a folder of classes, not a language model" : "this is a folder",
                   has_classes ? "train a model of them with train_class_lm()" : "name the file of a model");
}

bool starts_like_model(const std::string& path) {
  // What comes from a pipe can be read only once, and models of Firth's own are mapped.
  std::error_code unknown;
  if (path == text::kStandardInput || std::filesystem::is_fifo(path, unknown)) return false;
  constexpr std::size_t kMagicBytes = 8;
  const std::string begin = text::first_bytes(path, kMagicBytes);
  return lm::is_model_file(std::as_bytes(std::span(begin)));
}

}  // namespace

LanguageModel load_lm(const std::string& path, const std::string& classes_path, const RunOptions& run) {
  refuse_folder(path);
  if (!starts_like_model(path)) return lm::read_arpa(path, classes_path, run);
  if (!classes_path.empty()) {
    throw UsageError("a model of Firth has its own classes", "give classes only for an ARPA file");
  }
  auto file = std::make_shared<const base::MappedFile>(path);
  const std::span<const std::byte> bytes = file->bytes();
  return lm::read_model(path, bytes, std::move(file));
}

}  // namespace firth
