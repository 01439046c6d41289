#include "tagger/token_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/rng.hpp"
#include "firth/tagger.hpp"
#include "text/characters.hpp"
#include "text/inputs.hpp"

namespace firth {
namespace tagger {
namespace {

constexpr std::size_t kConlluColumns = 10;
constexpr int kConlluForm = 2;
constexpr int kConlluUpos = 4;
/// Lines of the first sentence that are looked at to find out the format.
constexpr std::size_t kMaxAhead = 200;
/// A line that only separates documents (CoNLL 2003).
constexpr std::string_view kDocument = "-DOCSTART-";

bool is_blank(std::string_view line) {
  return std::all_of(line.begin(), line.end(), text::is_space);
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::size_t count_fields(std::string_view line) {
  std::size_t fields = 0;
  while (!text::next_field(line).empty()) ++fields;
  return fields;
}

bool is_conllu(std::string_view line) {
  const std::string_view id = line.substr(0, line.find_first_of("\t-."));
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) + 1 == kConlluColumns &&
         is_number(id);
}

/// Whether the lines of the first sentence look like columns with blanks between them: all have the same
/// number of fields, at least two, and there are enough lines to tell.
bool is_table(std::span<const std::string> lines) {
  constexpr std::size_t kEnough = 3;
  if (lines.size() < kEnough) return false;
  const std::size_t width = count_fields(lines.front());
  return width >= 2 && std::all_of(lines.begin(), lines.end(),
                                   [&](const std::string& line) { return count_fields(line) == width; });
}

}  // namespace

void TokenSentence::words(std::vector<std::string_view>& words) const {
  words.clear();
  for (const TokenLine& line : lines) {
    if (line.is_token()) words.push_back(part(line.word));
  }
}

TokenReader::TokenReader(const Inputs& inputs, const TokenOptions& options, Wanted wanted,
                         const RunOptions& run)
    : files_(text::expand_inputs(inputs, run.stop)), options_(options), wanted_(wanted), run_(run) {
  if (options.format == TokenFormat::text && wanted != Wanted::words) {
    throw UsageError("text has no tags", "give columns or CoNLL-U");
  }
  bytes_total_ = text::total_size(files_);
}

bool TokenReader::open_next() {
  if (source_) finished_bytes_ += source_->bytes_done();
  if (next_file_ == files_.size()) return false;
  const text::InputFile& file = files_[next_file_++];
  if (file.is_tokens() && wanted_ != Wanted::words)
    throw UsageError("tokens have no tags", "give columns or CoNLL-U");
  source_.emplace(file, run_, options_.invalid_utf8);
  width_ = 0;
  ahead_.clear();
  next_ahead_ = 0;
  line_number_ = 0;
  format_ = file.is_tokens() ? TokenFormat::text : options_.format;
  detect();
  return true;
}

// Reads the first sentence, and keeps it for next_line().
void TokenReader::detect() {
  std::string_view line;
  std::vector<std::string> words;
  while (ahead_.size() < kMaxAhead && source_->next(line)) {
    ahead_.emplace_back(line);
    const bool comment = line.starts_with("# ") && line.find('\t') == std::string_view::npos;
    if (is_blank(line) && !words.empty()) break;
    if (!is_blank(line) && !comment) words.emplace_back(line);
  }
  tabs_ = std::any_of(words.begin(), words.end(),
                      [](const std::string& word) { return word.find('\t') != std::string::npos; });
  if (format_ != TokenFormat::automatic) return;
  const bool ended = !ahead_.empty() && is_blank(ahead_.back());
  if (!words.empty() && is_conllu(words.front())) {
    format_ = TokenFormat::conllu;
  } else if (tabs_ || wanted_ != Wanted::words || (ended && is_table(words))) {
    format_ = TokenFormat::columns;
  } else {
    format_ = TokenFormat::text;
  }
}

bool TokenReader::next_line(std::string_view& line) {
  ++line_number_;
  if (next_ahead_ < ahead_.size()) {
    line = ahead_[next_ahead_++];
    return true;
  }
  return source_->next(line);
}

bool TokenReader::next(TokenSentence& sentence) {
  while (true) {
    if (source_ && (format_ == TokenFormat::text ? read_text(sentence) : read_lines(sentence))) return true;
    if (!open_next()) return false;
  }
}

bool TokenReader::read_text(TokenSentence& sentence) {
  std::string_view line;
  while (next_line(line)) {
    if (is_blank(line)) continue;
    sentence.clear();
    sentence.text.assign(line);
    std::string_view left = sentence.text;
    for (std::string_view word = text::next_field(left); !word.empty(); word = text::next_field(left)) {
      const Piece piece = {static_cast<std::size_t>(word.data() - sentence.text.data()), word.size()};
      sentence.lines.push_back({piece, piece, {}, {}, line_number_});
    }
    return true;
  }
  return false;
}

bool TokenReader::read_lines(TokenSentence& sentence) {
  sentence.clear();
  std::string_view line;
  while (next_line(line)) {
    if (!is_blank(line)) {
      add_line(line, sentence);
    } else if (!sentence.lines.empty()) {
      return true;
    }
  }
  return !sentence.lines.empty();
}

bool TokenReader::is_comment(std::string_view line) const {
  if (format_ == TokenFormat::conllu) return line.front() == '#';
  // "#breaking TAB O" is a word, "# sent_id = 1" is not; with blanks as separators nobody can tell.
  return tabs_ && line.starts_with("# ") && line.find('\t') == std::string_view::npos;
}

void TokenReader::add_line(std::string_view line, TokenSentence& sentence) {
  const Piece whole = {sentence.text.size(), line.size()};
  sentence.text += line;
  sentence.text += '\n';
  TokenLine& added = sentence.lines.emplace_back(TokenLine{.line = whole, .number = line_number_});
  if (is_comment(line)) return;
  split(line);
  check_columns();
  if (!is_word_line()) return;
  const bool conllu = format_ == TokenFormat::conllu;
  const auto place = [&](std::string_view part) {
    return Piece{whole.begin + static_cast<std::size_t>(part.data() - line.data()), part.size()};
  };
  const std::string_view word =
      column(options_.word_column != 0 ? options_.word_column : (conllu ? kConlluForm : 1),
             "words (TokenOptions::word_column)");
  if (word.empty()) {
    throw InputError({path(), line_number_, 0}, "an empty word", "give it a spelling, or take the line out");
  }
  if (wanted_ != Wanted::words) {
    const bool guesses = wanted_ == Wanted::guesses;
    const int last = guesses ? -2 : -1;
    const int tag = options_.tag_column != 0 ? options_.tag_column : (conllu ? kConlluUpos : last);
    const std::string_view tagged = column(tag, "tags (TokenOptions::tag_column)");
    if (tagged.data() == word.data()) {
      throw InputError(
          {path(), line_number_, 0}, "words and tags stand in the same column",
          "a tagged file has two columns at least; see TokenOptions::word_column and TokenOptions::tag_column");
    }
    added.tag = place(tagged);
    if (added.tag.size == 0) {
      throw InputError({path(), line_number_, 0}, "an empty tag",
                       "every word needs one; O is outside of entities");
    }
    if (guesses) added.guess = place(column(tag + 1, "guessed tags"));
  }
  if (!conllu && word == kDocument) return;
  added.word = place(word);
}

void TokenReader::split(std::string_view line) {
  columns_.clear();
  if (!tabs_ && format_ == TokenFormat::columns) {
    for (std::string_view part = text::next_field(line); !part.empty(); part = text::next_field(line)) {
      columns_.push_back(part);
    }
    return;
  }
  while (true) {
    const std::size_t end = line.find('\t');
    columns_.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

void TokenReader::check_columns() {
  const SourceLocation where = {path(), line_number_, 0};
  if (format_ == TokenFormat::conllu && columns_.size() != kConlluColumns) {
    throw InputError(where, fmt::format("{} columns instead of {}", columns_.size(), kConlluColumns),
                     "a CoNLL-U line is ten columns with tabs between them");
  }
  if (width_ == 0) {
    width_ = columns_.size();
    width_line_ = line_number_;
  }
  if (columns_.size() != width_) {
    throw InputError(
        where, fmt::format("{} columns, but {} on line {}", columns_.size(), width_, width_line_),
        "all lines of a file need the same columns, with a tab (or, where no line has one, blanks) "
        "between them");
  }
}

bool TokenReader::is_word_line() const {
  if (format_ != TokenFormat::conllu) return true;
  const std::string_view id = columns_.front();
  if (is_number(id)) return true;
  const std::size_t mark = id.find_first_of("-.");
  const bool skipped =
      mark != std::string_view::npos && is_number(id.substr(0, mark)) && is_number(id.substr(mark + 1));
  if (skipped) return false;
  throw InputError({path(), line_number_, 0}, fmt::format("'{}' is not a word number", id),
                   "the first column is 1, 2, ..., a range such as 1-2, or an empty node such as 1.1");
}

std::string_view TokenReader::column(int number, const char* what) const {
  const auto width = static_cast<int>(columns_.size());
  const int index = number > 0 ? number - 1 : width + number;
  if (index < 0 || index >= width) {
    throw InputError({path(), line_number_, 0},
                     fmt::format("there is no column {} with the {}: the line has {}", number, what, width),
                     "columns count from 1; -1 is the last");
  }
  return columns_[static_cast<std::size_t>(index)];
}

}  // namespace tagger

std::vector<TaggedSentence> read_tagged(const Inputs& inputs, const TokenOptions& options,
                                        const RunOptions& run) {
  tagger::TokenReader reader(inputs, options, tagger::Wanted::tags, run);
  tagger::TokenSentence sentence;
  std::vector<TaggedSentence> sentences;
  while (reader.next(sentence)) {
    TaggedSentence& tagged = sentences.emplace_back();
    tagged.path = reader.path();
    for (const tagger::TokenLine& line : sentence.lines) {
      if (!line.is_token()) continue;
      tagged.words.emplace_back(sentence.part(line.word));
      tagged.tags.emplace_back(sentence.part(line.tag));
      tagged.lines.push_back(line.number);
    }
    if (tagged.words.empty()) sentences.pop_back();
  }
  if (sentences.empty() && !inputs.empty()) {
    throw InputError({inputs.first_name()}, "there are no tagged sentences",
                     "give files with words and tags");
  }
  return sentences;
}

std::vector<TaggedSentence> sample_sentences(std::span<const TaggedSentence> sentences, double percent,
                                             std::uint64_t seed) {
  if (!(percent > 0 && percent <= 100))
    throw UsageError("a part of the sentences is more than 0 and up to 100 percent");
  std::vector<std::size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  base::Rng rng(seed);
  base::shuffle(order, rng);
  const double exact = static_cast<double>(sentences.size()) * percent / 100;
  const auto size =
      std::min(sentences.size(), std::max<std::size_t>(1, static_cast<std::size_t>(exact + 0.5)));
  order.resize(size);
  std::sort(order.begin(), order.end());
  std::vector<TaggedSentence> part;
  for (const std::size_t i : order) part.push_back(sentences[i]);
  return part;
}

}  // namespace firth
