// Words as they come out of a file, put into canonical order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "firth/counts.hpp"
#include "firth/types.hpp"

namespace firth::clusters {

/// One word of a file; line 0 = not known.
struct WordEntry {
  std::string_view word;
  std::uint64_t line = 0;
  ClassId label = 0;
  Count count = 0;
};

/// The same as a vocabulary.
struct WordList {
  Vocabulary vocabulary;
  std::vector<ClassId> labels;      ///< by word id
  std::vector<WordId> id_of_entry;  ///< by place in the file
};

/// Sorts the words. Throws InputError (in the file `name`) if there is none, one is empty or comes twice, or
/// the counts add up to more than 64 bits hold.
WordList make_word_list(const std::string& name, const std::vector<WordEntry>& entries);

/// Numbers for labels, in order of their first appearance.
class LabelNumbers {
 public:
  ClassId operator()(std::string_view label) {
    return numbers_.emplace(label, static_cast<ClassId>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::string_view, ClassId> numbers_;
};

}  // namespace firth::clusters
