// Tables of counted pairs as input.
#pragma once

#include "text/block_reader.hpp"
#include "text/block_words.hpp"

namespace firth::counts {

/// `left right count` per line. The block has passed check_block. Throws InputError.
void parse_count_table(const text::Block& block, text::WordSink& sink);

}  // namespace firth::counts
