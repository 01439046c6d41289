// Text, tokens and numbers in memory as bytes to read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "text/byte_source.hpp"

namespace firth::text {

/// What an Inputs holds that is not made of paths.
struct MemoryInput {
  MemoryInput(std::string given_name, bool is_tokens, bool is_rereadable)
      : name(std::move(given_name)), tokens(is_tokens), rereadable(is_rereadable) {}
  virtual ~MemoryInput() = default;
  MemoryInput(const MemoryInput&) = delete;
  MemoryInput& operator=(const MemoryInput&) = delete;

  /// Its bytes from the start. Throws UsageError if they were read before and cannot be read again.
  virtual std::unique_ptr<RawSource> open() = 0;
  /// In bytes; 0 if not known.
  virtual std::uint64_t size() const { return 0; }

  std::string name;         ///< in messages
  bool tokens = false;      ///< words with blanks between them, not the bytes of a file
  bool rereadable = false;  ///< open() may be called again
};

}  // namespace firth::text
