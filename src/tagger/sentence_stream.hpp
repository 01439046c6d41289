// Sentences in, text out: what commands do that write something for every token.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "firth/run.hpp"
#include "text/token_reader.hpp"

namespace firth::tagger {

/// Calls `write` for every sentence, which adds to `out`; hands what has gathered to `put` in large pieces,
/// and before it waits for a pipe.
/// Reports progress as `stage`, stops when the run is told to.
void write_sentences(text::TokenReader& reader, const char* stage, const RunOptions& run,
                     const std::function<void(const text::TokenSentence& sentence, std::string& out)>& write,
                     const std::function<void(std::string_view)>& put);

}  // namespace firth::tagger
