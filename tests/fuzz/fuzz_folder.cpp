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

/// Writes the files, and removes what the last run left.
const std::string& fill(const firth::fuzz::ScratchFolder& folder, std::string_view bytes) {
  for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove(entry.path());
  for (const std::string_view name : kNames) {
    const std::string_view content = bytes.substr(0, bytes.find('\0'));
    bytes.remove_prefix(std::min(content.size() + 1, bytes.size()));
    if (!content.empty()) folder.write(name, content);
  }
  return folder.path();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::ScratchFolder folder;
  const std::string& path = fill(folder, {reinterpret_cast<const char*>(data), size});
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
