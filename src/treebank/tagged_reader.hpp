// Tagged sentences as trees: what turns a hidden Markov model into a grammar (Cohen et al. 2012, section 8).
#pragma once

#include <memory>
#include <string>

#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "firth/treebank.hpp"

namespace firth::treebank {

/// Reads tagged sentences: CoNLL-U (the form and the tag), or columns of which the first is the word and the
/// last the tag; an empty line ends a sentence. Throws InputError.
class TaggedReader {
 public:
  TaggedReader(const Inputs& inputs, const TokenOptions& options, const RunOptions& run);
  ~TaggedReader();
  TaggedReader(const TaggedReader&) = delete;
  TaggedReader& operator=(const TaggedReader&) = delete;

  /// The next sentence as a phrase SEQ with one leaf per word; false at the end.
  bool next(Tree& tree);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace firth::treebank
