// Input in blocks that can be read independently of each other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firth/error.hpp"
#include "text/byte_source.hpp"
#include "text/inputs.hpp"

namespace firth::text {

/// Where a file may be cut.
enum class CutAt {
  space,  ///< after any white space: what goes on over the cut is put together later
  line,   ///< after a line only
};

/// A piece of a file. Behind its last byte follow kPadding line feeds, so that words can be read eight bytes
/// at a time.
struct Block {
  static constexpr std::size_t kPadding = 32;

  std::unique_ptr<char[]> storage;
  std::size_t capacity = 0;
  std::size_t size = 0;
  std::size_t index = 0;           ///< order among all blocks of all files
  std::string path;                ///< of the file
  bool starts_file = false;        ///< the first block of its file
  std::uint64_t first_line = 1;    ///< number of the line in which it starts
  std::uint64_t first_column = 0;  ///< bytes of that line before it

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

/// Hands out the blocks of all files, in order, to whoever asks. Cuts within about `block_bytes`, or later if
/// a word (or line) is longer than that, but not beyond `max_bytes`. A byte-order mark at the start of a
/// file is left out.
class BlockReader {
 public:
  BlockReader(std::vector<InputFile> files, CutAt cut, std::size_t block_bytes,
              std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

  /// The next block; false at the end or after stop(). Any thread. `block.index` is set before anything can
  /// be thrown: IoError, InputError, ResourceError, Cancelled.
  bool next(Block& block);

  /// No more blocks.
  void stop() noexcept { stopped_ = true; }

  /// Bytes on disk that were read so far; any thread.
  std::uint64_t bytes_done() const noexcept { return bytes_done_; }
  /// All bytes on disk; 0 if not known.
  std::uint64_t bytes_total() const noexcept { return bytes_total_; }

 private:
  bool open_next_file();
  std::size_t fill(Block& block);
  [[noreturn]] void refuse(std::size_t bytes) const;
  std::size_t find_cut(std::string_view text, std::size_t searched) const;
  void take_carry(Block& block, std::size_t filled, std::size_t cut);

  std::mutex mutex_;
  std::vector<InputFile> files_;
  CutAt cut_;
  std::size_t block_bytes_;
  std::size_t max_bytes_;
  std::size_t next_file_ = 0;
  std::size_t next_index_ = 0;
  std::optional<InputStream> stream_;
  std::string path_;
  bool file_starts_ = false;
  bool has_mark_ = true;  // a byte-order mark is not part of the text
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 0;
  std::string carry_;
  std::uint64_t finished_bytes_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::uint64_t> bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
};

}  // namespace firth::text
