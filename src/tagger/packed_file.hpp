// Small models: the bytes of a model file, compressed, in a file of their own kind.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/section_file.hpp"

namespace firth::tagger {

inline constexpr base::FileKind kPackedFile = {{'\x89', 'F', 'T', 'Z', '\x20', '\r', '\n', '\x1a'},
                                               1,
                                               "small tagger",
                                               "copy it again, or train it again with train_tagger()"};

enum PackedSection : std::uint32_t { kPackedSize = 1, kPackedBytes = 2 };

bool is_packed(std::span<const std::byte> file);

std::string compressed(std::string_view bytes);

/// Calls use(sections) while what they point to is there.
template <typename Use>
void with_packed(std::string_view bytes, const Use& use) {
  const std::uint64_t size = bytes.size();
  const std::string packed = compressed(bytes);
  const std::array<base::Section, 2> sections = {base::make_section(kPackedSize, std::span(&size, 1)),
                                                 base::make_section(kPackedBytes, packed)};
  use(sections);
}

/// The bytes again. Throws FormatError.
std::string unpack(const std::string& path, std::span<const std::byte> file);

}  // namespace firth::tagger
