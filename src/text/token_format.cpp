#include "text/token_format.hpp"

#include <algorithm>
#include <vector>

#include "text/columns.hpp"
#include "text/conllu.hpp"
#include "text/line_walk.hpp"

namespace firth::text {
namespace {

/// Lines of the first sentence that are examined.
constexpr std::size_t kMaxLines = 200;

/// The lines of the first sentence, without comments.
struct FirstSentence {
  FirstSentence(std::string_view text, bool has_all_lines) : complete(has_all_lines) {
    std::size_t seen = 0;
    for (; seen < kMaxLines && !text.empty(); ++seen) {
      const std::string_view line = take_line(text);
      document = document || (lines.empty() && line.starts_with(kDocumentWord));
      ended = is_blank(line) && !lines.empty();
      if (ended) break;
      const bool comment = (line.starts_with('#') && !has_tab(line)) || line == kDocumentWord;
      if (!is_blank(line) && !comment) lines.push_back(line);
    }
    complete = complete || ended || seen == kMaxLines;
  }

  std::vector<std::string_view> lines;
  bool document = false;  ///< begins with -DOCSTART-
  bool ended = false;     ///< by a blank line
  bool complete;          ///< more lines would not be examined
};

std::vector<std::string_view> blank_separated(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::string_view field = next_field(line); !field.empty(); field = next_field(line))
    fields.push_back(field);
  return fields;
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c & '\x80') != 0;
}

bool has_letter(std::string_view field) {
  return std::any_of(field.begin(), field.end(), is_letter_or_digit);
}

/// O, B-PER: tags of entities in any of the usual schemes.
bool is_entity_tag(std::string_view field) {
  constexpr std::string_view kMarks = "BIESLUM";
  return field == "O" ||
         (field.size() > 2 && field[1] == '-' && kMarks.find(field.front()) != std::string_view::npos);
}

/// Whether words with blanks between them may be a word and its columns: not if the last looks like the end of a
/// sentence rather than like a tag.
bool may_be_row(std::string_view line) {
  const std::vector<std::string_view> fields = blank_separated(line);
  if (fields.size() < 2) return false;
  const std::string_view last = fields.back();
  const bool ends_sentence = std::string_view(".!?:;\"')").find(last.back()) != std::string_view::npos;
  if (ends_sentence && !has_letter(last)) return !has_letter(fields.front());
  const char begin = last.front();
  const bool like_word = ends_sentence || (begin >= 'a' && begin <= 'z') || (begin & '\x80') != 0;
  return fields.size() == 2 || !like_word;
}

/// Whether all lines have an entity tag in their last column, and the same number of columns. Two lines of a text may
/// both end with the word O.
bool has_entity_tags(const FirstSentence& first) {
  constexpr std::size_t kEnough = 3;
  std::size_t lines = 0;
  std::vector<std::string_view> columns;
  std::size_t width = 0;
  const bool tabs = !first.lines.empty() && has_tab(first.lines.front());
  for (const std::string_view line : first.lines) {
    columns = blank_separated(line);
    if (tabs) split_tabs(line, columns);
    if (width == 0) width = columns.size();
    if (width < 2 || columns.size() != width || !is_entity_tag(columns.back())) return false;
    lines += columns.back() == "O" ? 1 : 2;
  }
  return first.lines.size() > 1 && lines >= kEnough;
}

/// What lines without a tab in the first of them are; nothing if they may still become a table.
std::optional<TokenFormat> read_blanks(const FirstSentence& first) {
  const std::string_view front = first.lines.front();
  const bool like_json = front.starts_with('{') || front.starts_with('[');  // an object may go over lines
  const std::size_t width = blank_separated(front).size();
  if (!like_json && !may_be_row(front)) return TokenFormat::text;
  for (const std::string_view line : first.lines) {
    if (has_tab(line)) return TokenFormat::columns;  // the reader will say that the first line has no tab
    if (!like_json && blank_separated(line).size() != width) return TokenFormat::text;
  }
  constexpr std::size_t kTable = 3;
  if (!first.complete) return std::nullopt;
  const bool table = (first.ended && first.lines.size() >= kTable) || has_entity_tags(first);
  return table && !like_json ? TokenFormat::columns : TokenFormat::text;
}

}  // namespace

std::optional<TokenFormat> find_token_format(std::string_view first_lines, const TokenHints& hints) {
  const FirstSentence first(first_lines, hints.complete);
  const bool columns = hints.tagged || hints.named || first.document;
  if (first.lines.empty()) {
    if (!first.complete) return std::nullopt;
    return columns ? TokenFormat::columns : TokenFormat::text;
  }
  if (is_conllu_row(first.lines.front())) return TokenFormat::conllu;
  return columns || has_tab(first.lines.front()) ? TokenFormat::columns : read_blanks(first);
}

bool tells_token_format(std::string_view first_lines, TokenFormat given, const TokenHints& hints) {
  const std::optional<TokenFormat> format =
      given == TokenFormat::automatic ? find_token_format(first_lines, hints) : given;
  if (format != TokenFormat::columns) return format.has_value();
  const FirstSentence first(first_lines, hints.complete);
  return first.complete || (!first.lines.empty() && has_tab(first.lines.front()));
}

bool counts_words(std::string_view first_lines) {
  const FirstSentence first(first_lines, true);
  if (first.lines.size() < 2) return false;
  std::string_view line = first.lines[0];
  std::string_view next = first.lines[1];
  return next_field(line) == "1" && next_field(next) == "2";
}

std::optional<bool> has_entity_columns(std::string_view first_lines, bool complete) {
  const FirstSentence first(first_lines, complete);
  if (first.document) return true;
  if (first.complete) return has_entity_tags(first);
  if (first.lines.empty()) return std::nullopt;
  const std::vector<std::string_view> fields = blank_separated(first.lines.front());
  const bool may_be = fields.size() > 1 && is_entity_tag(fields.back());
  return may_be ? std::nullopt : std::optional(false);
}

}  // namespace firth::text
