// Sentences with their phrases joined.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "firth/phrases.hpp"
#include "text/sentence_reader.hpp"

namespace firth::phrases {

/// The parts of phrases and the units that they make, by number.
class UnitTable {
 public:
  explicit UnitTable(std::string joiner) : joiner_(std::move(joiner)) {}

  void add(const Phrase& phrase);
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view word) const;
  /// The unit that two neighbours make by then.
  [[nodiscard]] std::optional<std::uint32_t> joined(std::uint32_t left, std::uint32_t right,
                                                    std::uint32_t round) const;
  /// The last round that has phrases.
  [[nodiscard]] std::uint32_t rounds() const { return rounds_; }
  [[nodiscard]] std::string_view name(std::uint32_t unit) const { return names_[unit]; }
  /// Words of a unit; 1 for what is no phrase.
  [[nodiscard]] std::uint32_t length(std::string_view word) const;

 private:
  std::uint32_t number(const std::string& word);

  std::string joiner_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> lengths_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  struct Join {
    std::uint32_t unit;
    std::uint32_t round;
  };
  std::unordered_map<std::uint64_t, Join> pairs_;
  std::uint32_t rounds_ = 0;
};

/// Reads a text sentence by sentence and joins the phrases of each.
class JoinedReader {
 public:
  JoinedReader(std::vector<text::InputFile> files, const TextOptions& text, const UnitTable& units,
               const RunOptions& run)
      : reader_(std::move(files), text, run), units_(units) {}

  /// The next sentence; false at the end. Views are valid until the next call.
  bool next(std::vector<std::string_view>& sentence);
  /// Joins made so far.
  [[nodiscard]] std::uint64_t joins() const { return joins_; }

 private:
  struct Item {
    std::optional<std::uint32_t> unit;  ///< nothing for words of no phrase
    std::string_view word;
  };

  std::optional<std::uint32_t> unit_of(WordId word);
  /// One pass from left to right with the phrases up to a round; whether there was something to join.
  bool join_once(std::uint32_t round);

  text::SentenceReader reader_;
  const UnitTable& units_;
  std::vector<std::optional<std::uint32_t>> unit_of_;  // by the reader's numbers
  std::vector<Item> items_;
  std::vector<Item> result_;
  std::uint64_t joins_ = 0;
};

}  // namespace firth::phrases
