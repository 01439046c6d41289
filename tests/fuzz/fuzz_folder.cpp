// A whole folder of results: its files one after the other, with a zero byte between them; empty ones are missing.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "firth/clustering.hpp"
#include "firth/error.hpp"
#include "scratch.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kNames = {
    "classes.tsv", "paths", "merges.tsv", "bigrams.tsv", ".firth-journal", ".firth-abcdefghijkl.part"};

/// A folder for all runs of this process.
class ScratchFolder {
 public:
  ScratchFolder() : path_(file_.path() + ".folder") { fs::create_directory(path_); }
  ~ScratchFolder() { fs::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& fill(std::string_view bytes) const {
    for (const auto& entry : fs::directory_iterator(path_)) fs::remove(entry.path());
    for (const std::string_view name : kNames) {
      const std::string_view content = bytes.substr(0, bytes.find('\0'));
      bytes.remove_prefix(std::min(content.size() + 1, bytes.size()));
      if (!content.empty()) std::ofstream(fs::path(path_) / name, std::ios::binary) << content;
    }
    return path_;
  }

 private:
  firth::fuzz::Scratch file_;  // whose name nobody else has
  std::string path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ScratchFolder folder;
  const std::string& path = folder.fill({reinterpret_cast<const char*>(data), size});
  try {
    const firth::Clustering clustering = firth::load_clustering(path);
    if (clustering.word_count() == 0 || clustering.class_count() == 0) std::abort();
    for (const firth::ClassId id : clustering.classes())
      if (id >= clustering.class_count()) std::abort();
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
