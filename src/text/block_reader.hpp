// Input in blocks that can be read independently of each other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firth/error.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "text/byte_source.hpp"
#include "text/inputs.hpp"

namespace firth::text {

/// Where a file may be cut.
enum class CutAt {
  space,   ///< after any white space: what goes on over the cut is put together later
  line,    ///< after a line only
  record,  ///< after a record of CSV: lines within quotes belong to their field
  unit,    ///< after a multiple of BlockOptions::unit_bytes; the input is not text
};

/// No reader collects a longer line or word: a small compressed file may unpack to any size.
inline constexpr std::size_t kMaxLineBytes = std::size_t{1} << 30;

/// The limit under a limit of memory (0 = none).
std::size_t max_line_bytes(std::uint64_t memory_bytes) noexcept;

/// How files are cut into blocks.
struct BlockOptions {
  CutAt cut = CutAt::line;
  std::size_t block_bytes = std::size_t{1} << 20;
  std::size_t max_bytes = kMaxLineBytes;          ///< a longer word or line is refused
  InvalidUtf8 invalid_utf8 = InvalidUtf8::error;  ///< what check_block() will be told
  std::size_t unit_bytes = 1;
  char separator = ',';  ///< of the fields of records
  /// If it is there, tells the separator of a file from its beginning.
  std::function<char(std::string_view begin)> separator_of = {};
  bool keep_head = false;  ///< fill Block::head
  bool auxiliary = false;  ///< a file of words or of a model beside the text: must be UTF-8
  /// Lines that have come through a pipe are a block if one would have to wait for more. Then blocks depend on time:
  /// only for readers whose results do not depend on blocks.
  bool as_it_comes = false;
  /// With as_it_comes: whether these lines are enough for the first block of a file, from which its format is told.
  std::function<bool(std::string_view first_lines)> is_enough = {};
  /// Called when one has to wait for a pipe or a terminal: whoever writes to it may wait for answers first.
  std::function<void()> before_waiting = {};
};

/// A piece of a file. Behind its last byte follow kPadding line feeds, so that words can be read eight bytes
/// at a time. Large because it has what messages say about its file.
struct Block {
  static constexpr std::size_t kPadding = 32;

  std::unique_ptr<char[]> storage;
  std::size_t capacity = 0;
  std::size_t size = 0;
  std::size_t index = 0;           ///< order among all blocks of all files
  std::string path;                ///< of the file
  std::string encoding;            ///< in which it was written; empty = UTF-8
  bool starts_file = false;        ///< the first block of its file
  std::uint64_t first_line = 1;    ///< number of the line in which it starts
  std::uint64_t first_column = 0;  ///< bytes of that line before it
  std::uint64_t first_byte = 0;    ///< bytes of the file before it, decompressed
  bool auxiliary = false;          ///< as in BlockOptions
  char separator = ',';            ///< of the fields of records of its file
  std::uint64_t repaired = 0;      ///< parts that check_block() replaced
  /// The first lines of its file, up to some 64 KiB or the end of this block: what tells about columns.
  std::shared_ptr<const std::string> head = {};

  char* data() noexcept { return storage.get(); }
  const char* data() const noexcept { return storage.get(); }
  std::string_view text() const noexcept { return {storage.get(), size}; }

  /// The place of byte `offset`; columns count bytes.
  SourceLocation where(std::size_t offset) const;

  /// Space for `bytes` and the padding; keeps what is there.
  void reserve(std::size_t bytes);
  /// Sets the size and writes the padding.
  void finish(std::size_t bytes);
};

/// Throws InputError for a NUL byte and for broken UTF-8 unless they are to be replaced; then does that, except in
/// a block with more than one NUL byte in ten, which is no text.
void check_block(Block& block, InvalidUtf8 policy);

/// Says how many parts were replaced, if any were.
void warn_of_repairs(const RunOptions& run, std::uint64_t repaired);

/// Throws InputError for a NUL byte.
void refuse_nul_bytes(const Block& block);

/// Hands out the blocks of all files, in order, to whoever asks. Cuts within about `block_bytes`, or later if
/// a word (or line) is longer than that, but not beyond `max_bytes`. A byte-order mark at the start of a text
/// is left out.
class BlockReader {
 public:
  BlockReader(std::vector<InputFile> files, const BlockOptions& options);

  /// The next block; false at the end or after stop(). Any thread. `block.index` is set before anything can
  /// be thrown: IoError, InputError, ResourceError, Cancelled.
  bool next(Block& block);

  /// How messages name the first file; empty if there is none.
  std::string first_path() const { return files_.empty() ? "" : display_name(files_.front().path); }

  /// No more blocks.
  void stop() noexcept { stopped_ = true; }

  /// Bytes on disk that were read so far; any thread.
  std::uint64_t bytes_done() const noexcept { return bytes_done_; }
  /// All bytes on disk; 0 if not known.
  std::uint64_t bytes_total() const noexcept { return bytes_total_; }

 private:
  /// The file that is being read, and the place in it.
  struct OpenFile {
    InputStream stream;
    std::string path;
    std::string encoding;
    bool may_have_mark;  ///< a byte-order mark is not part of the text
    bool starts = true;
    std::uint64_t line = 1;
    std::uint64_t column = 0;
    std::uint64_t byte = 0;
    char separator = ',';
    std::shared_ptr<const std::string> head = {};
  };

  bool open_next_file();
  void start_block(Block& block);
  std::size_t fill(Block& block);
  std::string_view without_mark(std::string_view begin) const;
  void choose_separator(const Block& block);
  bool would_wait() const { return file_ && file_->stream.would_wait(); }
  bool is_answerable(const Block& block) const;
  void grow(Block& block, std::size_t& checked) const;
  std::size_t find_cut(std::string_view text, std::size_t searched) const;
  void finish_block(Block& block, std::size_t filled, std::size_t cut);
  void extend_head(const Block& block);

  std::mutex mutex_;
  std::vector<InputFile> files_;
  BlockOptions options_;
  std::size_t next_file_ = 0;
  std::size_t next_index_ = 0;
  std::optional<OpenFile> file_;
  std::string carry_;  // what was read behind the last cut
  std::uint64_t finished_bytes_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
};

}  // namespace firth::text
