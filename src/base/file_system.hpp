// The file system without exceptions of the standard library: "no" is an answer, everything else an IoError.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace firth::base {

inline constexpr mode_t kFolderMode = 0777;  ///< of a new folder, before the umask
inline constexpr mode_t kModeBits = 07777;   ///< of st_mode: what chmod sets

/// A file descriptor that is closed when its owner goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }

  int get() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }
  int release() noexcept { return std::exchange(number_, -1); }
  void reset() noexcept;

 private:
  int number_ = -1;
};

/// "a/b" -> "a", "b" -> ".", "/b" -> "/".
std::string folder_of(const std::string& path);
/// "a/b" -> "b".
std::string name_of(const std::string& path);
std::string joined(const std::string& folder, std::string_view name);
/// The same place for every way to write it; links are not followed.
std::string normal_path(const std::string& path);

/// Whether something has this name, links followed. Throws IoError where that cannot be told: a loop of links,
/// a name that is too long, a folder on the way that may not be entered.
bool exists(const std::string& path);
/// False also where it cannot be told.
bool is_folder(const std::string& path) noexcept;
bool is_regular_file(const std::string& path) noexcept;

/// The descriptor that a name stands for: "-" and "/dev/stdout" are 1, "/dev/fd/5" is 5.
std::optional<int> descriptor_named(std::string_view path);

/// The name that a chain of links ends at; it need not exist. Throws IoError for a loop.
std::string resolve_links(const std::string& path);

/// The nearest folder at or above a path that exists, and the names below it that do not, outermost first.
struct MissingPath {
  std::string existing;
  std::string first;  ///< the first missing name; "" = nothing is missing
  std::string rest;   ///< what is missing below it, "b/c"
};
MissingPath missing_part(const std::string& path);

/// Makes a folder and those above it, as far as they are missing; whether that went well shows when it is used.
void make_folder(const std::string& path) noexcept;

/// Names in the folder survive a loss of power from now on, where the file system can do that.
void sync_folder(const std::string& folder) noexcept;

/// Throws IoError with what errno says and, for a full disk, advice.
[[noreturn]] void throw_io(const std::string& path, std::string_view action, int error_number);

/// Writes everything. Throws IoError.
void write_all(int descriptor, std::string_view bytes, const std::string& path);

}  // namespace firth::base
