// Tagged sentences as trees: what turns a hidden Markov model into a grammar (Cohen et al. 2012, section 8).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "firth/run.hpp"
#include "firth/treebank.hpp"

namespace firth::treebank {

/// Reads tagged sentences from files, folders or "-", plain or compressed: CoNLL-U (the form and the
/// universal tag), or a word and its tag a line with a tab between them; an empty line ends a sentence.
/// Throws InputError.
class TaggedReader {
 public:
  /// `run` must outlive the reader.
  TaggedReader(const Inputs& inputs, const RunOptions& run);
  ~TaggedReader();
  TaggedReader(const TaggedReader&) = delete;
  TaggedReader& operator=(const TaggedReader&) = delete;

  /// The next sentence as a phrase SEQ with one leaf a word; false at the end.
  bool next(Tree& tree);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace firth::treebank
