// A whole folder of results: its files one after the other, with a zero byte between them; empty ones are missing.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "firth/clustering.hpp"
#include "firth/error.hpp"
#include "scratch.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kNames = {
    "classes.tsv", "paths", "merges.tsv", "bigrams.tsv", ".firth-journal", ".firth-abcdefghijkl.part"};
constexpr std::size_t kJournal = 4;
constexpr std::size_t kPart = 5;

/// A folder whose files are written only where they differ from those of the last run, since that takes longer than reading them.
class Folder {
 public:
  const std::string& fill(std::string_view bytes) {
    if (acted_) empty();
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const std::string_view content = bytes.substr(0, bytes.find('\0'));
      bytes.remove_prefix(std::min(content.size() + 1, bytes.size()));
      if (content == there_[i]) continue;
      if (content.empty())
        fs::remove(folder_.path() + '/' + std::string(kNames[i]));
      else
        folder_.write(kNames[i], content);
      there_[i] = content;
    }
    // Whoever reads a folder finishes, or removes, what a killed writer left.
    acted_ = !there_[kJournal].empty() || !there_[kPart].empty();
    return folder_.path();
  }

 private:
  void empty() {
    for (const auto& entry : fs::directory_iterator(folder_.path())) fs::remove(entry.path());
    there_.fill("");
  }

  firth::fuzz::ScratchFolder folder_;
  std::array<std::string, kNames.size()> there_;  ///< empty: missing
  bool acted_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Folder folder;
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
