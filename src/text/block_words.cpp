#include "text/block_words.hpp"

#include <cstring>

namespace firth::text {

void BlockWords::clear() {
  ids.clear();
  ends.clear();
  pairs.clear();
}

WordSink::WordSink(const TextOptions& options, WordTable& table, unsigned recent_bits)
    : counter(table, recent_bits), options_(options) {
  if (options.lowercase || options.tokenize) unicode_ = std::make_unique<UnicodeWords>();
}

std::string_view WordSink::normal(std::string_view word) {
  return options_.lowercase ? unicode_->lower(word) : word;
}

WordId WordSink::id_of(std::string_view word) {
  if (word.size() > kShortWordBytes) return counter.count(word);
  ShortWord key;
  std::memcpy(&key, word.data(), word.size());
  return counter.count(key, word.size());
}

void WordSink::add_piece(std::string_view piece) {
  const std::string_view word = normal(piece);
  if (options_.tokenize) {
    unicode_->split(word, [this](std::string_view part) { add_word(part); });
  } else {
    add_word(word);
  }
}

void WordSink::add_pair(std::string_view left, std::string_view right, Count count) {
  const WordId left_id = counter.count(normal(left), count);
  const WordId right_id = counter.count(normal(right), count);
  words.pairs.push_back({left_id, right_id, count});
}

}  // namespace firth::text
