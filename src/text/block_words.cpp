#include "text/block_words.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/stage.hpp"
#include "text/text_options.hpp"

namespace firth::text {

void BlockWords::clear() {
  ids.clear();
  ends.clear();
  pairs.clear();
}

WordSink::WordSink(const TextOptions& options, WordTable& table, unsigned recent_bits)
    : counter(table, recent_bits), maker_(options), tokens_(!is_running_text(options.format)) {}

WordId WordSink::id_of(std::string_view word) {
  if (word.size() > kShortWordBytes) return counter.count(word);
  ShortWord key;
  std::memcpy(&key, word.data(), word.size());
  return counter.count(key, word.size());
}

void WordSink::add_piece(std::string_view piece) {
  if (!maker_.is_needed()) {
    add_word(piece);
  } else if (tokens_) {
    add_word(maker_.token(piece));
  } else {
    maker_.words_of(piece, [this](std::string_view word) { add_word(word); });
  }
}

void WordSink::add_pair(std::string_view left, std::string_view right, Count count) {
  const WordId left_id = counter.count(maker_.token(left), count);
  const WordId right_id = counter.count(maker_.token(right), count);
  words.pairs.push_back({left_id, right_id, count});
}

void warn_of_repairs(const RunOptions& run, std::uint64_t parts, const NormalizedCharacters& characters) {
  warn_of_repairs(run, parts);
  const auto warn = [&](std::uint64_t count, const char* one, const char* many, const char* what) {
    if (count > 0)
      base::warn(run, fmt::format("{} {} ({} and the like)", count, count == 1 ? one : many, what));
  };
  warn(characters.replaced, "character was replaced by a plain one", "characters were replaced by plain ones",
       "ligatures, wide letters, odd spaces");
  warn(characters.removed, "invisible character was taken out", "invisible characters were taken out",
       "soft hyphens, zero-width spaces");
}

}  // namespace firth::text
