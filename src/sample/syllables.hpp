// Names for words that nobody has to learn: syllables instead of digits.
#pragma once

#include <cstdint>
#include <string>

namespace firth::sample {

/// Number of syllables.
inline constexpr std::uint32_t kSyllables = 70;

/// A stem: 70 of one syllable, 4,900 of two, ... All different.
std::string stem(std::uint32_t number);

/// The ending of class `number` of `classes`: as many syllables as it takes to make all of them different.
std::string ending(std::uint32_t number, std::uint32_t classes);

}  // namespace firth::sample
