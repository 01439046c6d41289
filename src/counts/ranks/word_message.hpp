// Words with their counts, on their way to another rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/message.hpp"
#include "text/word_order.hpp"

namespace firth::counts {

inline void write_word(const text::CountedWord& word, base::MessageWriter& writer) {
  writer.put_number(word.count);
  writer.put_number(word.word.size());
  writer.put_bytes(std::as_bytes(std::span(word.word)));
}

/// Words point into the message.
inline text::CountedWord read_word(base::MessageReader& reader) {
  text::CountedWord word;
  word.count = reader.get_number();
  const std::span<const std::byte> bytes = reader.get_bytes(reader.get_number());
  word.word = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  return word;
}

inline std::vector<text::CountedWord> read_words(std::span<const std::byte> message) {
  std::vector<text::CountedWord> words;
  for (base::MessageReader reader(message); !reader.done();) words.push_back(read_word(reader));
  return words;
}

inline base::RankMessages take_all(std::span<base::MessageWriter> writers) {
  base::RankMessages messages;
  for (base::MessageWriter& writer : writers) messages.push_back(writer.take());
  return messages;
}

}  // namespace firth::counts
