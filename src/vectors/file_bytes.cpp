#include "vectors/file_bytes.hpp"

#include "firth/error.hpp"
#include "text/byte_source.hpp"
#include "text/inputs.hpp"

namespace firth::vectors {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

std::string read_all(const text::InputFile& file, const RunOptions& run) {
  text::InputStream stream(file);
  std::string bytes;
  for (;;) {
    run.check_stop();
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunkBytes);
    const std::size_t got = stream.read(bytes.data() + before, kChunkBytes);
    bytes.resize(before + got);
    if (got == 0) return bytes;
    if (run.memory_bytes > 0 && bytes.size() > run.memory_bytes / 2) {
      throw ResourceError(text::display_name(file.path) + " does not fit the memory limit",
                          "allow more memory, or give the file without compression");
    }
  }
}

bool is_plain(const text::InputFile& file) {
  if (!file.rereadable) return false;
  const std::string begin = text::first_bytes(file.path, 8);
  return text::detect_compression(begin.data(), begin.size()) == text::Compression::none;
}

}  // namespace

FileBytes::FileBytes(const std::string& path, const RunOptions& run) {
  const auto files = text::expand_inputs(path, run.stop);
  if (files.size() != 1) throw InputError({path}, "this is a folder without vectors.npy", "name one file");
  if (is_plain(files.front())) {
    mapped_.emplace(path);
    view_ = {reinterpret_cast<const char*>(mapped_->bytes().data()), mapped_->bytes().size()};
  } else {
    decompressed_ = read_all(files.front(), run);
    view_ = decompressed_;
  }
}

}  // namespace firth::vectors
