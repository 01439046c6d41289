// SRILM's classes-format: CLASS [probability] word.
#pragma once

#include <string>
#include <vector>

#include "firth/run.hpp"

namespace firth::lm {

/// One word of a class.
struct ClassWord {
  std::string word;
  double probability = 0;  ///< of the word, given the class
};

/// A class and its words.
struct WordClass {
  std::string name;
  std::vector<ClassWord> words;
};

/// Reads the classes in order of their first lines. A class without any probability is uniform; one that does
/// not add up to 1 is scaled, with a warning. <unk> is left out, as in train_class_lm(). Words in two classes and expansions of several words, which
/// SRILM allows, are refused: InputError with the line.
std::vector<WordClass> read_srilm_classes(const std::string& path, const RunOptions& run);

}  // namespace firth::lm
