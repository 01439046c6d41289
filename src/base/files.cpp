#include "base/files.hpp"

#include <unistd.h>

#include <utility>

#include "base/hidden_name.hpp"
#include "base/transaction.hpp"
#include "firth/files.hpp"
#include "firth/printable.hpp"

namespace firth {
namespace base {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

PendingFile open_file(std::string path) {
  const std::string place = Transaction::place_for(path);
  return PendingFile(std::move(path), place);
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : file_(open_file(std::move(path))),
      is_terminal_(file_.is_stream() && ::isatty(file_.descriptor()) == 1) {
  buffer_.reserve(kBufferBytes);
}

void OutputFile::write(std::string_view bytes) {
  position_ += bytes.size();
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    put(bytes);
  } else {
    buffer_ += bytes;
  }
}

void OutputFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::flush() {
  put(buffer_);
  buffer_.clear();
}

/// A file gets the bytes as they are; a terminal would obey some of them.
void OutputFile::put(std::string_view bytes) {
  const std::string shown = is_terminal_ ? printable(bytes) : std::string();
  write_all(file_.descriptor(), is_terminal_ ? shown : bytes, file_.path());
}

void OutputFile::commit() {
  finish();
  if (!Transaction::take(file_)) publish();
}

void OutputFile::commit_now() {
  finish();
  publish();
}

void OutputFile::finish() {
  flush();
  file_.sync();
}

void OutputFile::publish() {
  file_.publish();
  if (file_.is_stream()) return;
  const std::string folder = folder_of(file_.target());
  sync_folder(folder);
  remove_leftovers(folder);
}

}  // namespace base

struct OutputTransaction::Implementation {
  base::Transaction transaction;
};

OutputTransaction::OutputTransaction() : implementation_(std::make_unique<Implementation>()) {}

OutputTransaction::~OutputTransaction() = default;

void OutputTransaction::claim_folder(const std::string& path,
                                     std::function<bool(std::string_view name)> belongs) {
  implementation_->transaction.claim(path, std::move(belongs));
}

void OutputTransaction::commit() {
  implementation_->transaction.commit();
}

void check_output_file(const std::string& path) {
  base::check_output(path);
}

void check_output_folder(const std::string& path) {
  base::check_output_folder(path);
}

std::string_view compressed_ending(std::string_view path) noexcept {
  for (const std::string_view ending : {".gz", ".zst", ".xz"}) {
    if (path.ends_with(ending)) return ending;
  }
  return {};
}

}  // namespace firth
