#include "text/block_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/simd.hpp"
#include "text/characters.hpp"

namespace firth::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

FIRTH_CLONES
std::uint64_t count_lines(const char* data, std::size_t size) {
  std::uint64_t lines = 0;
  for (std::size_t i = 0; i < size; ++i) lines += data[i] == '\n' ? 1 : 0;
  return lines;
}

// std::string_view::rfind goes byte by byte; a text may be one line of gigabytes.
std::size_t last_line_feed(std::string_view text) {
  const void* found = ::memrchr(text.data(), '\n', text.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace

SourceLocation Block::where(std::size_t offset) const {
  const std::string_view before = text().substr(0, offset);
  const std::size_t line_start = before.rfind('\n');
  const std::uint64_t column =
      line_start == std::string_view::npos ? first_column + offset : offset - line_start - 1;
  return {path, first_line + count_lines(before.data(), before.size()), column + 1};
}

void Block::reserve(std::size_t bytes) {
  if (bytes + kPadding <= capacity) return;
  auto bigger = std::make_unique_for_overwrite<char[]>(bytes + kPadding);
  if (size > 0) std::memcpy(bigger.get(), storage.get(), size);
  storage = std::move(bigger);
  capacity = bytes + kPadding;
}

void Block::finish(std::size_t bytes) {
  size = bytes;
  std::memset(storage.get() + bytes, '\n', kPadding);
}

BlockReader::BlockReader(std::vector<InputFile> files, CutAt cut, std::size_t block_bytes,
                         std::size_t max_bytes)
    : files_(std::move(files)),
      cut_(cut),
      block_bytes_(block_bytes),
      max_bytes_(max_bytes),
      bytes_total_(total_size(files_)) {}

bool BlockReader::open_next_file() {
  if (stream_) finished_bytes_ += stream_->position();
  stream_.reset();
  if (next_file_ == files_.size()) return false;
  const InputFile& file = files_[next_file_++];
  path_ = display_name(file.path);
  stream_.emplace(file);
  file_starts_ = true;
  has_mark_ = !file.is_tokens();
  line_ = 1;
  column_ = 0;
  return true;
}

// Where to end the block, or kNowhere. A line is a better place than a space: nothing goes on over it.
std::size_t BlockReader::find_cut(std::string_view text, std::size_t searched) const {
  const std::size_t line = last_line_feed(text);
  if (line != std::string_view::npos && (cut_ == CutAt::line || line >= text.size() / 2)) return line + 1;
  if (cut_ == CutAt::line) return kNowhere;
  for (std::size_t end = text.size(); end > searched; --end) {
    if (is_space(text[end - 1])) return end;
  }
  return kNowhere;
}

void BlockReader::refuse(std::size_t bytes) const {
  throw ResourceError(fmt::format("{}:{}: a {} of more than {} does not fit the memory limit", path_, line_,
                                  cut_ == CutAt::space ? "word" : "line", base::memory_text(bytes)),
                      "allow more memory, or check whether this is text");
}

// Reads until there is a place to cut, or the end of the file. Returns the size of the block.
std::size_t BlockReader::fill(Block& block) {
  std::size_t wanted = std::max({block_bytes_, carry_.size(), std::size_t{1}});
  std::size_t searched = 0;
  block.size = 0;
  block.reserve(wanted);
  std::memcpy(block.data(), carry_.data(), carry_.size());
  block.size = carry_.size();
  carry_.clear();
  for (;;) {
    while (block.size < wanted) {
      const std::size_t got = stream_->read(block.data() + block.size, wanted - block.size);
      if (got == 0) return block.size;
      block.size += got;
    }
    const std::size_t cut = find_cut(block.text(), searched);
    if (cut != kNowhere) return cut;
    searched = block.size;
    if (block.size > max_bytes_ / 2) refuse(block.size);
    wanted = block.size * 2;
    block.reserve(wanted);
  }
}

bool BlockReader::next(Block& block) {
  const std::lock_guard lock(mutex_);
  block.index = next_index_++;
  block.size = 0;
  while (!stopped_) {
    if (!stream_ && !open_next_file()) return false;
    const std::size_t cut = fill(block);
    bytes_done_ = finished_bytes_ + stream_->position();
    if (cut == 0) {
      if (!open_next_file()) return false;
      continue;
    }
    take_carry(block, block.size, cut);
    return true;
  }
  return false;
}

void BlockReader::take_carry(Block& block, std::size_t filled, std::size_t cut) {
  carry_.assign(block.data() + cut, filled - cut);
  block.path = path_;
  block.starts_file = std::exchange(file_starts_, false);
  block.first_line = line_;
  block.first_column = column_;
  if (block.starts_file && has_mark_ && std::string_view(block.data(), cut).starts_with(kByteOrderMark)) {
    cut -= kByteOrderMark.size();
    std::memmove(block.data(), block.data() + kByteOrderMark.size(), cut);
    block.first_column = column_ = kByteOrderMark.size();
  }
  block.finish(cut);
  line_ += count_lines(block.data(), cut);
  const std::size_t last_line = last_line_feed(block.text());
  column_ = last_line == std::string_view::npos ? column_ + cut : cut - last_line - 1;
}

}  // namespace firth::text
