// Text as words of a model.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "firth/class_lm.hpp"
#include "lm/names.hpp"
#include "text/inputs.hpp"

namespace firth::lm {

using SentenceVisitor = std::function<void(std::span<const WordId> words)>;

/// Calls `visit` with every sentence in order, words that `names` does not have as LanguageModel::kUnknown;
/// so are <unk>, <s> and </s> themselves. Blank lines are sentences without words if `blank_lines`, else left
/// out.
void visit_sentences(std::vector<text::InputFile> files, const TextOptions& text, const Names& names,
                     const RunOptions& run, const SentenceVisitor& visit, bool blank_lines = false);

/// The same for inputs as a user names them, with the words of a model, without blank lines.
void for_each_sentence(const Inputs& inputs, const TextOptions& text, const LanguageModel& model,
                       const RunOptions& run, const SentenceVisitor& visit);

}  // namespace firth::lm
