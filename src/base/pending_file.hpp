// The bytes of a file that has no name yet, and the name it is going to have.
#pragma once

#include <string>

#include "base/file_system.hpp"

namespace firth::base {

/// What already is at the place of an output decides how it is written: a device, a FIFO or standard output
/// is written into, a link is followed, a file is replaced and keeps its mode and owner. A file that is not
/// published leaves nothing. All functions throw IoError.
class PendingFile {
 public:
  /// `beside`: an existing folder on the same file system, where the folder of `path` is still to be made.
  explicit PendingFile(std::string path, const std::string& beside = "");
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept = default;
  PendingFile& operator=(PendingFile&&) = delete;

  /// As the user wrote it.
  const std::string& path() const noexcept { return path_; }
  /// Where the links lead that it may consist of.
  const std::string& target() const noexcept { return target_; }
  int descriptor() const noexcept { return open_.get(); }
  /// Bytes go straight to where they belong: there is no name to give.
  bool is_stream() const noexcept { return stream_; }

  /// All bytes are written: they are on the disk when this returns.
  void sync();

  /// Gives it a name that must be new; called again, it moves there.
  void move_to(const std::string& name);
  /// Gives it a hidden name in the folder of its target, and returns that.
  const std::string& stage();
  /// Gives it its final name, replacing what has it.
  void publish();
  /// It has its final name, or somebody else will give it that; the lock stays until the file is closed.
  void published() noexcept;
  /// Nobody needs it any more.
  void abandon() noexcept;

 private:
  void open_stream();
  void open_nameless(const std::string& folder);
  void open_hidden(const std::string& folder);
  bool link(const std::string& name);
  void copy_to_hidden(const std::string& folder);
  void keep_mode_and_owner();

  /// A name that is removed when its owner goes.
  class HiddenFile {
   public:
    HiddenFile() = default;
    ~HiddenFile() { set(""); }
    HiddenFile(HiddenFile&& other) noexcept : name_(std::exchange(other.name_, {})) {}
    HiddenFile& operator=(HiddenFile&&) = delete;

    const std::string& name() const noexcept { return name_; }
    void set(std::string name) noexcept;
    void moved(std::string name) noexcept { name_ = std::move(name); }

   private:
    std::string name_;
  };

  std::string path_;
  std::string target_;
  bool stream_ = false;
  HiddenFile hidden_;
  Descriptor open_;
};

/// Throws IoError if a file of this name could not be written; nothing is left behind.
void check_output(const std::string& path);

}  // namespace firth::base
