#include "text/block_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/section_file.hpp"
#include "base/simd.hpp"
#include "base/stage.hpp"
#include "text/characters.hpp"
#include "text/csv.hpp"
#include "text/utf8.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
constexpr std::size_t kMinLineBytes = std::size_t{1} << 16;
constexpr std::size_t kLongestCharacter = 4;

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

// The end of the last complete record. Blocks start with a record, so its quotes are followed from there; a
// quote that does not begin a field is a character like others, as in take_record().
std::size_t last_record(std::string_view text, char separator) {
  std::size_t end = kNowhere;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = closing_quote(text, at);
      if (at == kNowhere) return end;
      ++at;
    }
    while (at < text.size() && text[at] != separator && text[at] != '\n') ++at;
    if (at == text.size()) return end;
    if (text[at] == '\n') end = at + 1;
    ++at;
  }
  return end;
}

const char* name_of(CutAt cut) {
  if (cut == CutAt::space) return "word";
  return cut == CutAt::record ? "record" : "line";
}

/// Text that was damaged has a NUL byte here and there; UTF-16, devices and data have many.
bool is_binary(std::string_view text) {
  constexpr std::ptrdiff_t kShare = 10;
  constexpr std::ptrdiff_t kFew = 3;
  const std::ptrdiff_t count = std::count(text.begin(), text.end(), '\0');
  return count > kFew && count * kShare > std::ssize(text);
}

/// Bytes that no text has: perhaps it is a file of another kind.
void refuse_known_file(const Block& block) {
  if (!block.starts_file) return;
  const base::KnownFile known = base::known_file(block.text());
  if (!known.name.empty())
    throw InputError({block.path}, fmt::format("this is {}, not text", known.name),
                     std::string(known.advice));
}

/// What to do with a file that no option for texts reaches.
std::string iconv_advice(const Block& block, std::string_view encoding) {
  return fmt::format("convert the file to UTF-8, for example: iconv -f {} -t UTF-8 '{}'", encoding,
                     block.path);
}

/// Two bytes per character, with a mark that says so.
void refuse_utf16(const Block& block) {
  const std::string_view text = block.text();
  const bool marked = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  if (block.starts_file && block.encoding.empty() && marked)
    throw InputError({block.path}, "this is UTF-16, not UTF-8",
                     block.auxiliary ? iconv_advice(block, "UTF-16")
                                     : "convert the file to UTF-8, or name its encoding (decoded())");
}

[[noreturn]] void refuse_nul(const Block& block, std::size_t offset) {
  refuse_known_file(block);
  refuse_utf16(block);
  if (block.auxiliary)
    throw InputError(block.where(offset), "NUL byte",
                     "this is not text; remove the byte or convert the file");
  throw InputError(block.where(offset), "NUL byte",
                   is_binary(block.text())
                       ? "this is not text in UTF-8; convert the file, or name its encoding (decoded())"
                       : "remove such bytes, or replace them (TextOptions::invalid_utf8)");
}

[[noreturn]] void refuse_utf8(const Block& block, std::size_t offset) {
  refuse_known_file(block);
  refuse_utf16(block);
  if (!block.encoding.empty()) {
    const bool is_latin = block.encoding == "ISO-8859-1";
    throw InputError(block.where(offset), fmt::format("this is not text in {}", block.encoding),
                     fmt::format("name another encoding{}, or replace such bytes (TextOptions::invalid_utf8)",
                                 is_latin ? " such as windows-1252" : ""));
  }
  if (block.auxiliary) throw InputError(block.where(offset), "broken UTF-8", iconv_advice(block, "LATIN1"));
  throw InputError(
      block.where(offset), "broken UTF-8",
      "convert the file to UTF-8, or name its encoding (decoded()), or replace such bytes (TextOptions::invalid_utf8)");
}

std::uint64_t count_replacements(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::uint64_t count = 0;
  for (std::size_t at = text.find(kReplacement); at != kNowhere; at = text.find(kReplacement, at + 3))
    ++count;
  return count;
}

}  // namespace

std::size_t max_line_bytes(std::uint64_t memory_bytes) noexcept {
  if (memory_bytes == 0) return kMaxLineBytes;
  return std::clamp<std::uint64_t>(memory_bytes / 4, kMinLineBytes, kMaxLineBytes);
}

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

/// Where NUL bytes are replaced: those of files that are no damaged text.
static void refuse_nul_of_binary(const Block& block) {
  const std::size_t nul = block.text().find('\0');
  if (nul == kNowhere) return;
  refuse_known_file(block);
  refuse_utf16(block);
  if (is_binary(block.text())) refuse_nul(block, nul);
}

void refuse_nul_bytes(const Block& block) {
  if (const std::size_t nul = block.text().find('\0'); nul != std::string_view::npos) refuse_nul(block, nul);
}

void warn_of_repairs(const RunOptions& run, std::uint64_t repaired) {
  if (repaired == 0) return;
  base::warn(run, fmt::format("{} of the text that could not be decoded {} replaced by U+FFFD",
                              repaired == 1 ? "1 part" : fmt::format("{} parts", repaired),
                              repaired == 1 ? "was" : "were"));
}

void check_block(Block& block, InvalidUtf8 policy) {
  block.repaired = 0;
  const FoundFault found = check_text(block.text());
  if (found.fault == TextFault::none) return;
  if (policy == InvalidUtf8::error && found.fault == TextFault::nul) refuse_nul(block, found.offset);
  if (policy == InvalidUtf8::error) refuse_utf8(block, found.offset);
  refuse_nul_of_binary(block);
  const std::string repaired = replace_invalid(block.text());
  block.repaired = count_replacements(repaired) - count_replacements(block.text());
  block.reserve(repaired.size());
  std::memcpy(block.data(), repaired.data(), repaired.size());
  block.finish(repaired.size());
}

BlockReader::BlockReader(std::vector<InputFile> files, const BlockOptions& options)
    : files_(std::move(files)), options_(options), bytes_total_(total_size(files_)) {}

bool BlockReader::open_next_file() {
  if (file_) finished_bytes_ += file_->stream.position();
  file_.reset();
  if (next_file_ == files_.size()) return false;
  const InputFile& file = files_[next_file_++];
  const bool may_have_mark = !file.is_tokens() && options_.cut != CutAt::unit;
  file_.emplace(OpenFile{InputStream(file), display_name(file.path), file.encoding, may_have_mark});
  file_->starts = file.begin == 0;
  file_->separator = options_.separator;
  return true;
}

// Where to end the block, or kNowhere. A line is a better place than a space: nothing goes on over it.
std::size_t BlockReader::find_cut(std::string_view text, std::size_t searched) const {
  if (options_.cut == CutAt::unit) return text.size() - text.size() % options_.unit_bytes;
  if (options_.cut == CutAt::record) return last_record(text, file_->separator);
  const std::size_t line = last_line_feed(text);
  const bool lines = options_.cut == CutAt::line;
  if (line != std::string_view::npos && (lines || line >= text.size() / 2)) return line + 1;
  if (lines) return kNowhere;
  for (std::size_t end = text.size(); end > searched; --end) {
    if (is_space(text[end - 1])) return end;
  }
  return kNowhere;
}

// Makes room for more of a word or line that has not ended yet. What cannot be text is refused now: it may
// never end. `checked` is how far that was looked into.
void BlockReader::grow(Block& block, std::size_t& checked) const {
  const std::string_view fresh = block.text().substr(checked);
  const FoundFault found = check_text(fresh);
  const bool broken = found.fault == TextFault::utf8;
  const bool cut_off = broken && found.offset + kLongestCharacter > fresh.size();
  if (broken && !cut_off && options_.invalid_utf8 == InvalidUtf8::error) {
    refuse_utf8(block, checked + found.offset);
  }
  const std::size_t nul = fresh.find('\0');
  if (nul != kNowhere && (options_.invalid_utf8 == InvalidUtf8::error || is_binary(fresh)))
    refuse_nul(block, checked + nul);
  checked += cut_off ? found.offset : fresh.size();
  if (block.size >= options_.max_bytes) {
    throw ResourceError(
        fmt::format("{}:{}: a {} of more than {} bytes", file_->path, file_->line, name_of(options_.cut),
                    options_.max_bytes),
        "check whether this is text; the limit is 1 GiB, or a quarter of the memory that is allowed");
  }
  block.reserve(std::min(block.size * 2, options_.max_bytes));
}

void BlockReader::start_block(Block& block) {
  block.size = 0;
  block.path = file_->path;
  block.encoding = file_->encoding;
  block.starts_file = file_->starts;
  block.auxiliary = options_.auxiliary;
  block.first_line = file_->line;
  block.first_column = file_->column;
  block.first_byte = file_->byte;
  block.head.reset();
}

// Whether there are lines, and enough of them to tell the format of a file that begins here.
bool BlockReader::is_answerable(const Block& block) const {
  const std::size_t end = last_line_feed(block.text());
  if (end == kNowhere) return false;
  if (!block.starts_file || !options_.is_enough) return true;
  return options_.is_enough(without_mark(block.text().substr(0, end + 1)));
}

std::string_view BlockReader::without_mark(std::string_view begin) const {
  if (file_->may_have_mark && begin.starts_with(kByteOrderMark)) begin.remove_prefix(kByteOrderMark.size());
  return begin;
}

void BlockReader::choose_separator(const Block& block) {
  if (block.starts_file && options_.separator_of)
    file_->separator = options_.separator_of(without_mark(block.text()));
}

// Reads until there is a place to cut, or the end of the file. Returns the size of the block.
std::size_t BlockReader::fill(Block& block) {
  start_block(block);
  std::size_t wanted = std::max({options_.block_bytes, carry_.size(), options_.unit_bytes});
  std::size_t searched = 0;
  std::size_t checked = 0;
  block.reserve(wanted);
  std::memcpy(block.data(), carry_.data(), carry_.size());
  block.size = carry_.size();
  carry_.clear();
  for (;;) {
    while (block.size < wanted) {
      if (options_.before_waiting && would_wait()) options_.before_waiting();
      const std::size_t got = file_->stream.read(block.data() + block.size, wanted - block.size);
      if (got == 0) {
        choose_separator(block);
        return block.size;
      }
      block.size += got;
      if (options_.as_it_comes && would_wait() && is_answerable(block)) break;
    }
    choose_separator(block);
    const std::size_t cut = find_cut(block.text(), searched);
    if (cut != kNowhere) return cut;
    searched = block.size;
    grow(block, checked);
    wanted = block.capacity - Block::kPadding;
  }
}

bool BlockReader::next(Block& block) {
  const std::lock_guard lock(mutex_);
  block.index = next_index_++;
  block.size = 0;
  while (!stopped_) {
    if (!file_ && !open_next_file()) return false;
    const std::size_t cut = fill(block);
    bytes_done_ = finished_bytes_ + file_->stream.position();
    if (cut == 0) {
      if (!open_next_file()) return false;
      continue;
    }
    finish_block(block, block.size, cut);
    return true;
  }
  return false;
}

void BlockReader::finish_block(Block& block, std::size_t filled, std::size_t cut) {
  carry_.assign(block.data() + cut, filled - cut);
  file_->byte += cut;
  file_->starts = false;
  if (block.starts_file && file_->may_have_mark &&
      std::string_view(block.data(), cut).starts_with(kByteOrderMark)) {
    cut -= kByteOrderMark.size();
    std::memmove(block.data(), block.data() + kByteOrderMark.size(), cut);
    block.first_column = file_->column = kByteOrderMark.size();
  }
  block.separator = file_->separator;
  block.finish(cut);
  if (options_.keep_head) extend_head(block);
  block.head = file_->head;
  file_->line += count_lines(block.data(), cut);
  const std::size_t last_line = last_line_feed(block.text());
  file_->column = last_line == std::string_view::npos ? file_->column + cut : cut - last_line - 1;
}

// Blocks that are already out keep the shorter head that they have.
void BlockReader::extend_head(const Block& block) {
  const std::string before = file_->head ? *file_->head : "";
  if (before.size() >= kHeadBytes) return;
  const std::size_t end = block.text().find('\n', std::min(block.size, kHeadBytes - before.size()));
  file_->head = std::make_shared<const std::string>(before + std::string(block.text().substr(0, end)));
}

}  // namespace firth::text
