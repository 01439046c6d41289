#include "vectors/file_bytes.hpp"

#include "firth/error.hpp"
#include "text/byte_source.hpp"
#include "text/inputs.hpp"
#include "text/whole_file.hpp"

namespace firth::vectors {
namespace {

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
    decompressed_ = text::read_whole(files.front(), run);
    view_ = decompressed_;
  }
}

}  // namespace firth::vectors
