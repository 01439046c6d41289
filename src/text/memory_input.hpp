// Text, tokens and numbers in memory as bytes to read.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "text/byte_source.hpp"

namespace firth::text {

/// What an Inputs holds that is not made of paths alone.
struct MemoryInput : std::enable_shared_from_this<MemoryInput> {
  MemoryInput(std::string given_name, bool is_tokens, bool is_rereadable)
      : name(std::move(given_name)), tokens(is_tokens), rereadable(is_rereadable) {}
  virtual ~MemoryInput() = default;
  MemoryInput(const MemoryInput&) = delete;
  MemoryInput& operator=(const MemoryInput&) = delete;

  /// What there is to read.
  virtual std::vector<InputFile> files(const std::stop_token& stop);
  /// The same with folders replaced by the files in them; nullptr = it is the same.
  virtual std::shared_ptr<MemoryInput> expanded() { return nullptr; }
  /// Its bytes from the start. Throws UsageError if they were read before and cannot be read again.
  virtual std::unique_ptr<RawSource> open() = 0;
  /// Gives back what was opened to look at its first bytes, and begins with them again: open() gives it once more. For
  /// what can be read only once.
  virtual void put_back(std::unique_ptr<RawSource> /*source*/) {}
  /// In bytes; 0 if not known.
  virtual std::uint64_t size() const { return 0; }

  std::string name;         ///< in messages
  bool tokens = false;      ///< words with blanks between them, not the bytes of a file
  bool rereadable = false;  ///< open() may be called again
};

}  // namespace firth::text
