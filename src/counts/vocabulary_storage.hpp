// What a Vocabulary that was not read from a file looks into.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/string_table.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

struct VocabularyStorage {
  base::StringTable words;
  std::vector<Count> counts;

  void add(std::string_view word, Count count) {
    words.add(word);
    counts.push_back(count);
  }
};

/// The vocabulary over `storage`, which it keeps alive: nothing may be added any more.
inline Vocabulary make_vocabulary(const std::shared_ptr<VocabularyStorage>& storage) {
  return {storage->words.offsets(), storage->words.bytes(), storage->counts, storage};
}

}  // namespace firth::counts
