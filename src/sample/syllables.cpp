#include "sample/syllables.hpp"

#include <string_view>

namespace firth::sample {
namespace {

constexpr std::string_view kConsonants = "bdfgklmnprstvz";
constexpr std::string_view kVowels = "aeiou";
// Odd steps through the syllables, coprime to 70, so that neighbours do not sound alike.
constexpr std::uint32_t kStep = 27;

void add_syllable(std::string& word, std::uint32_t digit) {
  const std::uint32_t place = digit * kStep % kSyllables;
  word += kConsonants[place / kVowels.size()];
  word += kVowels[place % kVowels.size()];
}

}  // namespace

std::string stem(std::uint32_t number) {
  // Bijective numeration: every length starts anew, so no stem is another one with zeros in front.
  std::string word;
  for (std::uint64_t rest = std::uint64_t{number} + 1; rest > 0; rest = (rest - 1) / kSyllables) {
    add_syllable(word, static_cast<std::uint32_t>((rest - 1) % kSyllables));
  }
  return word;
}

std::string ending(std::uint32_t number, std::uint32_t classes) {
  std::string word;
  std::uint64_t reach = 1;
  do {
    add_syllable(word, number % kSyllables);
    number /= kSyllables;
    reach *= kSyllables;
  } while (reach < classes);
  return word;
}

}  // namespace firth::sample
