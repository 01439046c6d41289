// What can go wrong. Every error says what happened, where, and what to do about it.
//
//   try {
//     use(firth::load_counts("text.counts"));
//   } catch (const firth::Error& error) {
//     std::fputs(error.what(), stderr);
//   }
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace firth {

/// The kind of an error; the command turns it into an exit code.
enum class ErrorCode {
  usage,      ///< an option or argument that makes no sense
  input,      ///< bad data in a file of the user's
  format,     ///< a damaged or foreign file where one of Firth's own is expected
  io,         ///< the operating system said no
  resource,   ///< more memory is needed than is allowed
  cancelled,  ///< stopped on request
  world,      ///< the ranks of a run do not agree, or one of them is gone
};

/// A place in a file; line and column count from 1, 0 = not known.
struct SourceLocation {
  std::string path;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
};

/// Root of all errors that Firth throws. what() is the whole message: "path:line:column: problem; hint".
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const SourceLocation& where, std::string_view problem, std::string_view hint);

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  [[nodiscard]] const SourceLocation& where() const noexcept { return where_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  ErrorCode code_;
  SourceLocation where_;
  std::string hint_;
};

/// An option out of range, options that contradict each other. Messages name options as fields of the library's
/// structs, e.g. VocabularyOptions::min_count.
class UsageError : public Error {
 public:
  explicit UsageError(std::string_view problem, std::string_view hint = "", std::string_view field = "")
      : Error(ErrorCode::usage, {}, problem, hint), field_(field) {}

  /// The field at fault, "Struct::field"; empty if it is none or several.
  [[nodiscard]] const std::string& field() const noexcept { return field_; }

 private:
  std::string field_;
};

/// A line that cannot be read, broken UTF-8, an empty corpus.
class InputError : public Error {
 public:
  InputError(const SourceLocation& where, std::string_view problem, std::string_view hint = "")
      : Error(ErrorCode::input, where, problem, hint) {}
};

/// A Firth file that is truncated, damaged or of another version.
class FormatError : public Error {
 public:
  FormatError(std::string path, std::string_view problem, std::string_view hint = "")
      : Error(ErrorCode::format, {std::move(path)}, problem, hint) {}
};

/// A system call failed; `error_number` is its errno.
class IoError : public Error {
 public:
  IoError(std::string path, std::string_view action, int error_number, std::string_view hint = "");

  [[nodiscard]] int error_number() const noexcept { return error_number_; }

 private:
  int error_number_;
};

/// The work would need more memory than RunOptions::memory_bytes allows.
class ResourceError : public Error {
 public:
  explicit ResourceError(std::string_view problem, std::string_view hint = "")
      : Error(ErrorCode::resource, {}, problem, hint) {}
};

/// The stop token was triggered.
class Cancelled : public Error {
 public:
  Cancelled() : Error(ErrorCode::cancelled, {}, "interrupted", "") {}
};

/// The ranks of a run (firth/world.hpp) cannot go on together.
class WorldError : public Error {
 public:
  explicit WorldError(std::string_view problem, std::string_view hint = "")
      : Error(ErrorCode::world, {}, problem, hint) {}
};

/// Another rank has given up; what went wrong is known there.
class WorldBroken : public WorldError {
 public:
  WorldBroken() : WorldError("another rank of the run has given up") {}
};

}  // namespace firth
