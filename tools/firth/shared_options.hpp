// Groups of options that several commands have.
#pragma once

#include <firth/checkpoint.hpp>
#include <firth/count.hpp>
#include <string>
#include <vector>

#include "option_table.hpp"
#include "session.hpp"

namespace firth::cli {

/// --format, --column, --field, --sequence-end, --id-names, --lines, --stream, --normalize,
/// --lowercase, --tokenize, --invalid-utf8.
void declare_text_options(OptionTable& options, TextOptions& text);

/// --checkpoint and --resume.
void declare_checkpoint_options(OptionTable& options, CheckpointOptions& checkpoint);

/// --normalize and --lowercase, for words that are tokens already.
void declare_spelling(OptionTable& options, Preprocessing& words);

/// Says how a model spells the words that it reads, if not as they are.
void say_spelling(const Preprocessing& words, const std::string& model, Session& session);

/// What --min-count says where it may be left to the size of the text.
struct MinCount {
  Count given = 0;  ///< 0 = by the size
};

/// --min-count, --max-vocab, --vocab, --rare; with `min_count`, the former goes there and may be auto.
void declare_vocabulary_options(OptionTable& options, VocabularyOptions& vocabulary,
                                MinCount* min_count = nullptr);

/// The counts of the inputs; words that are too rare for the size of the text are left out unless the options
/// say which words to keep; that is said, and kept in the options.
Counts read_counts(const Inputs& inputs, CountOptions& options, const MinCount& min_count, Session& session);

/// The numbers of an option's value, separated by commas. Throws UsageError that names the option.
std::vector<double> decimal_list(const std::string& option, const std::string& value);

}  // namespace firth::cli
