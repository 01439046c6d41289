#include "text/token_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "firth/error.hpp"
#include "text/characters.hpp"
#include "text/first_lines.hpp"
#include "text/inputs.hpp"

namespace firth::text {
namespace {

constexpr std::string_view kNotKnown = "_";
constexpr const char* kWords = "words (TokenOptions::word_column)";
constexpr const char* kTags = "tags (TokenOptions::tag_column)";

int number_of(std::size_t conllu_column) {
  return static_cast<int>(conllu_column) + 1;
}

/// A key as jq writes it: .tokens, ."ner-tags".
std::string jq_key(const std::string& key) {
  const bool plain = std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
  return plain ? "." + key : fmt::format(".\"{}\"", key);
}

/// The keys of the lists of a line of JSON: of words, then of tags.
std::vector<std::string> keys_of_lists(std::string_view text) {
  const auto object = nlohmann::json::parse(text.substr(0, text.find('\n')), nullptr, false);
  std::vector<std::string> keys;
  if (!object.is_object()) return keys;
  for (const auto& item : object.items())
    if (item.value().is_array() && !item.value().empty() && !item.value().front().is_structured())
      keys.push_back(jq_key(item.key()));
  constexpr std::array<std::string_view, 4> kUsual = {".tokens", ".words", ".form", ".text"};
  std::stable_partition(keys.begin(), keys.end(), [&](const std::string& key) {
    return std::find(kUsual.begin(), kUsual.end(), key) != kUsual.end();
  });
  return keys;
}

/// Lists of words and tags become columns by a line of jq; names the line.
[[noreturn]] void refuse_json(const std::string& path, std::string_view ahead, bool with_tags) {
  const std::string name = display_name(path);
  const std::vector<std::string> keys = keys_of_lists(ahead);
  if (keys.size() < (with_tags ? 2u : 1u))
    throw InputError({name, 1}, "this is JSON, which has no tokens",
                     fmt::format("take the text out of it first, for example: jq -r .text '{}'", name));
  const std::string filter =
      with_tags
          ? fmt::format("([{}, {}] | transpose[] | map(tostring) | join(\"\\t\")), \"\"", keys[0], keys[1])
          : fmt::format("{} | join(\" \")", keys[0]);
  throw InputError({name, 1}, fmt::format("this is JSON, not {}", with_tags ? "columns" : "text or columns"),
                   fmt::format("make {} of it first, for example: jq -r '{}' '{}'",
                               with_tags ? "columns" : "text", filter, name));
}

}  // namespace

void TokenSentence::words(std::vector<std::string_view>& words) const {
  words.clear();
  for (const TokenLine& line : lines) {
    if (line.is_token()) words.push_back(part(line.word));
  }
}

Slice TokenSentence::keep(std::string_view part) {
  const Slice slice = {text.size(), part.size()};
  text += part;
  return slice;
}

TokenReader::TokenReader(const Inputs& inputs, const TokenOptions& options, ReadColumns columns,
                         const RunOptions& run)
    : files_(expand_inputs(inputs, run.stop)),
      options_(options),
      read_(columns),
      run_(run),
      bytes_total_(total_size(files_)) {
  if (options.format == TokenFormat::text && columns != ReadColumns::words &&
      columns != ReadColumns::any_tags) {
    throw UsageError("text has no tags", "give columns or CoNLL-U");
  }
}

bool TokenReader::open_next() {
  if (lines_) finished_bytes_ += lines_->bytes_done();
  if (next_file_ == files_.size()) return false;
  const InputFile& file = files_[next_file_++];
  const bool with_tags = read_ != ReadColumns::words && read_ != ReadColumns::any_tags;
  if (file.is_tokens() && with_tags) throw UsageError("tokens have no tags", "give columns or CoNLL-U");
  open(file, {.tagged = with_tags, .named = format_by_name(file.path) == InputFormat::columns});
  return true;
}

void TokenReader::open(const InputFile& file, const TokenHints& hints) {
  format_ = file.is_tokens() ? TokenFormat::text : options_.format;
  const auto is_enough = [given = format_, hints](std::string_view first_lines) {
    return tells_token_format(first_lines, given, hints);
  };
  const auto before_waiting = [this] {
    if (before_waiting_) before_waiting_();
  };
  lines_.emplace(std::vector<InputFile>{file}, run_,
                 BlockOptions{.max_bytes = max_line_bytes(run_.memory_bytes),
                              .invalid_utf8 = options_.invalid_utf8,
                              .as_it_comes = true,
                              .is_enough = is_enough,
                              .before_waiting = before_waiting});
  const std::string_view ahead = lines_->ahead();
  layout_.emplace(ahead);
  if (format_ != TokenFormat::automatic) return;
  if (looks_like_json(ahead)) refuse_json(file.path, ahead, hints.tagged);
  const std::optional<TokenFormat> found =
      find_token_format(ahead, {.tagged = hints.tagged, .named = hints.named, .complete = true});
  format_ = found.value_or(TokenFormat::text);
  if (format_ == TokenFormat::columns && options_.word_column == 0 && counts_words(ahead)) {
    throw InputError({display_name(file.path)}, "the first column has numbers, not words",
                     "say which column has the words (TokenOptions::word_column)");
  }
}

bool TokenReader::next(TokenSentence& sentence) {
  while (true) {
    if (lines_ && (format_ == TokenFormat::text ? read_text(sentence) : read_lines(sentence))) return true;
    if (!open_next()) return false;
  }
}

bool TokenReader::read_text(TokenSentence& sentence) {
  std::string_view line;
  while (lines_->next(line)) {
    if (is_blank(line)) continue;
    sentence.clear();
    sentence.text.assign(line);
    std::string_view left = sentence.text;
    for (std::string_view word = next_field(left); !word.empty(); word = next_field(left)) {
      const Slice slice = {static_cast<std::size_t>(word.data() - sentence.text.data()), word.size()};
      sentence.lines.push_back({.line = slice, .word = slice, .number = lines_->line()});
    }
    return true;
  }
  return false;
}

bool TokenReader::read_lines(TokenSentence& sentence) {
  sentence.clear();
  std::string_view line;
  while (lines_->next(line)) {
    if (!is_blank(line)) {
      add_line(line, sentence);
    } else if (!sentence.lines.empty()) {
      return true;
    }
  }
  return !sentence.lines.empty();
}

void TokenReader::add_line(std::string_view line, TokenSentence& sentence) {
  TokenLine added = {.line = sentence.keep(line), .number = lines_->line()};
  if (split(line)) {
    const bool conllu = format_ == TokenFormat::conllu;
    const int number = options_.word_column != 0 ? options_.word_column : conllu ? number_of(kConlluForm) : 1;
    const std::string_view word =
        value(number, kWords, "an empty word", "give it a spelling, or take the line out");
    if (has_tags()) add_tags(word, added, sentence);
    added.tag_column.begin += static_cast<std::size_t>(columns_.front().data() - line.data());
    if (conllu || word != kDocumentWord) added.word = sentence.keep(as_word(word, buffer_));
  }
  sentence.lines.push_back(added);
}

// Puts the columns of a word into columns_; false if the line is something else.
bool TokenReader::split(std::string_view line) {
  if (format_ == TokenFormat::conllu) {
    ConlluRow row;
    if (read_conllu_line(lines_->block(), line, row) != ConlluLine::word) return false;
    columns_.assign(row.begin(), row.end());
    return true;
  }
  if (layout_->is_comment(line)) return false;
  layout_->split(line, columns_);
  if (columns_.size() != layout_->width)
    layout_->refuse_width(columns_.size(), lines_->where(), "TokenOptions::format");
  return true;
}

bool TokenReader::has_tags() const {
  if (read_ != ReadColumns::any_tags) return read_ != ReadColumns::words;
  return format_ == TokenFormat::conllu || layout_->width > 1;
}

void TokenReader::add_tags(std::string_view word, TokenLine& added, TokenSentence& sentence) {
  const bool guesses = read_ == ReadColumns::guesses;
  const std::size_t in_conllu = options_.conllu_tag == TagColumn::upos ? kConlluUpos : kConlluXpos;
  const int last = guesses ? -2 : -1;
  int number = format_ == TokenFormat::conllu ? number_of(in_conllu) : last;
  if (options_.tag_column != 0) number = options_.tag_column;
  const char* const hint = "every word needs one; O is outside of entities";
  std::string_view tag = value(number, kTags, "an empty tag", hint);
  if (tag.data() == word.data()) {
    throw InputError(
        lines_->where(), "words and tags are in the same column",
        "a tagged file has two columns at least; see TokenOptions::word_column and TokenOptions::tag_column");
  }
  const bool may_fall_back = format_ == TokenFormat::conllu && options_.tag_column == 0 && !guesses;
  if (may_fall_back && tag == kNotKnown) tag = value(number_of(kConlluXpos), kTags, "an empty tag", hint);
  added.tag = sentence.keep(tag);
  added.tag_column = {static_cast<std::size_t>(tag.data() - columns_.front().data()), tag.size()};
  if (guesses) added.guess = sentence.keep(column(number + 1, "guessed tags (TokenOptions::tag_column)"));
}

std::string_view TokenReader::column(int number, const char* what) const {
  const std::string_view* const found = find_column(columns_, number);
  if (found == nullptr) refuse_column(columns_.size(), number, what, lines_->where());
  return *found;
}

// A column that must not be empty.
std::string_view TokenReader::value(int number, const char* what, const char* problem,
                                    const char* hint) const {
  const std::string_view found = column(number, what);
  if (!found.empty()) return found;
  if (format_ == TokenFormat::conllu) refuse_empty_column(lines_->block(), found);
  throw InputError(lines_->where(), problem, hint);
}

}  // namespace firth::text
