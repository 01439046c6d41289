// What is to be read: files and folders by their names, or text, tokens and numbers from memory.
//
//   use(firth::count_text({"a.txt", "b.txt.zst"}, {}, {}));
//   use(firth::count_text(firth::Inputs::from_text("to be or not to be\n"), {}, {}));
//   use(firth::count_text(firth::Inputs::from_tokens({{"to", "be"}, {"or", "not"}}), {}, {}));
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firth {

namespace detail {
struct ModelAccess;
}

namespace text {
struct MemoryInput;
}

/// Gives up to `size` bytes, and 0 at the end.
using ByteCallback = std::function<std::size_t(char* data, std::size_t size)>;
/// Replaces `sequence` by the next one; false at the end.
using TokenCallback = std::function<bool(std::vector<std::string>& sequence)>;
using IdCallback = std::function<bool(std::vector<std::uint32_t>& sequence)>;

/// Everything that takes text takes this. A path names a file, a folder (every file below it, in order of
/// names, without hidden ones) or, as "-", standard input; files may be compressed with gzip, zstd or xz.
///
/// What comes from memory gives the same results as a file with the same text. In messages it has the name
/// that is given here. Callbacks are called by one thread at a time, not always the same one; what they give
/// can be read once, a second reader gets a UsageError.
class Inputs {
 public:
  /// Nothing; functions that read throw UsageError.
  Inputs() = default;
  // Not explicit: a path is meant to do wherever text is wanted.
  Inputs(const char* path);
  Inputs(std::string path);
  Inputs(std::string_view path);
  /// std::filesystem::path, whose header is left to those who use it.
  template <typename Path>
  requires requires(const Path& path) { path.lexically_normal().string(); }
  Inputs(const Path& path) : Inputs(path.string()) {}
  Inputs(std::initializer_list<std::string> paths);
  Inputs(std::vector<std::string> paths);
  Inputs(std::span<const std::string> paths);

  /// The bytes of a file: lines of text, or any other format; also compressed.
  [[nodiscard]] static Inputs from_text(std::string text, std::string name = "text");
  /// The same, piece by piece.
  [[nodiscard]] static Inputs from_bytes(ByteCallback read, std::string name = "text");

  /// Words that were split already, as the line of text with blanks between them. An empty token, or one with
  /// ASCII white space, is an InputError whose line is the number of the sequence, from 1.
  [[nodiscard]] static Inputs from_tokens(std::vector<std::vector<std::string>> sequences,
                                          std::string name = "tokens");
  [[nodiscard]] static Inputs from_tokens(TokenCallback next, std::string name = "tokens");

  /// Words as numbers. names[id] is the word; without names it is the number in decimal digits.
  [[nodiscard]] static Inputs from_ids(std::vector<std::vector<std::uint32_t>> sequences,
                                       std::vector<std::string> names = {}, std::string name = "ids");
  [[nodiscard]] static Inputs from_ids(IdCallback next, std::vector<std::string> names = {},
                                       std::string name = "ids");

  [[nodiscard]] bool empty() const noexcept { return paths_.empty() && memory_ == nullptr; }
  /// The paths as they were given; none for what comes from memory.
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }
  /// How messages name the first of the inputs: its path, "standard input", or the name given above.
  [[nodiscard]] std::string first_name() const;

 private:
  friend struct detail::ModelAccess;
  /// nullptr for paths.
  [[nodiscard]] const std::shared_ptr<text::MemoryInput>& internals() const noexcept { return memory_; }
  explicit Inputs(std::shared_ptr<text::MemoryInput> memory) : memory_(std::move(memory)) {}

  std::vector<std::string> paths_;
  std::shared_ptr<text::MemoryInput> memory_;
};

/// The same inputs with every folder replaced by the files in it. Throws as reading does.
[[nodiscard]] Inputs expand_folders(const Inputs& inputs);

}  // namespace firth
