// Groups of options that several commands have.
#pragma once

#include <firth/count.hpp>

#include "option_table.hpp"

namespace firth::cli {

/// --format, --column, --field, --sequence-end, --id-names, --lines, --stream, --lowercase, --tokenize, --invalid-utf8.
void declare_text_options(OptionTable& options, TextOptions& text);

/// --min-count, --max-vocab, --vocab, --rare.
void declare_vocabulary_options(OptionTable& options, VocabularyOptions& vocabulary);

}  // namespace firth::cli
