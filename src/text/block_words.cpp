#include "text/block_words.hpp"

#include <cstring>

#include "firth/error.hpp"
#include "text/utf8.hpp"

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

void check_block(Block& block, InvalidUtf8 policy) {
  const FoundFault found = check_text(block.text());
  if (found.fault == TextFault::none) return;
  if (found.fault == TextFault::utf8 && policy == InvalidUtf8::replace) {
    if (const std::size_t nul = block.text().find('\0'); nul != std::string_view::npos) {
      throw InputError(block.where(nul), "NUL byte", "this is not text; remove the byte or convert the file");
    }
    const std::string mended = replace_invalid(block.text());
    block.reserve(mended.size());
    std::memcpy(block.data(), mended.data(), mended.size());
    block.finish(mended.size());
    return;
  }
  if (found.fault == TextFault::nul) {
    throw InputError(block.where(found.offset), "NUL byte",
                     "this is not text; remove the byte or convert the file");
  }
  throw InputError(block.where(found.offset), "broken UTF-8",
                   "convert the file to UTF-8, or replace such bytes (TextOptions::invalid_utf8)");
}

}  // namespace firth::text
