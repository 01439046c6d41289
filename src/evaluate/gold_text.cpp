#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <unordered_map>

#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/gold_tags.hpp"
#include "text/block_reader.hpp"
#include "text/block_words.hpp"
#include "text/line_walk.hpp"
#include "text/unicode_words.hpp"

namespace firth {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr std::size_t kConlluColumns = 10;
constexpr const char* kHint = "lines are CoNLL-U (ten columns) or a word, a tab and a tag";

/// Names numbered in order of their first appearance.
class Names {
 public:
  std::uint32_t id(std::string_view name) {
    const auto [place, added] =
        ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (added) {
      names_.push_back(place->first);
      counts_.push_back(0);
    }
    ++counts_[place->second];
    return place->second;
  }

  /// Sorts by falling count, then bytes; returns the new number of every old one.
  std::vector<std::uint32_t> rank(std::vector<std::pair<std::string, Count>>& ranked) const {
    std::vector<std::uint32_t> order(names_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : names_[a] < names_[b];
    });
    std::vector<std::uint32_t> rank_of(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      rank_of[order[i]] = i;
      ranked.emplace_back(names_[order[i]], counts_[order[i]]);
    }
    return rank_of;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> names_;
  std::vector<Count> counts_;
};

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class TaggedReader {
 public:
  explicit TaggedReader(const GoldTextOptions& options) : options_(options) {}

  void read(const text::Block& block) {
    if (block.starts_file) end_sentence();
    text::for_each_line(block.text(), [&](std::string_view line) { read_line(block, line); });
  }

  GoldText finish() {
    end_sentence();
    std::vector<std::pair<std::string, Count>> words;
    std::vector<std::pair<std::string, Count>> tags;
    const std::vector<std::uint32_t> word_rank = words_.rank(words);
    const std::vector<std::uint32_t> tag_rank = tags_.rank(tags);
    for (WordId& word : text_.words) word = word_rank[word];
    for (std::uint32_t& tag : text_.tag_of) tag = tag_rank[tag];
    for (auto& [name, count] : tags) text_.tags.push_back(std::move(name));
    text_.vocabulary = Vocabulary::from_words(std::move(words));
    return std::move(text_);
  }

 private:
  void end_sentence() {
    const std::uint64_t begin = text_.ends.empty() ? 0 : text_.ends.back();
    if (text_.words.size() > begin) text_.ends.push_back(text_.words.size());
  }

  void read_line(const text::Block& block, std::string_view line) {
    const auto where = [&] { return block.where(static_cast<std::size_t>(line.data() - block.data())); };
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      end_sentence();
      return;
    }
    const auto tabs = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
    if (line.front() == '#' && tabs == 0) return;
    std::array<std::string_view, kConlluColumns> columns;
    if (tabs != 1 && tabs + 1 != kConlluColumns) {
      throw InputError(where(), fmt::format("{} columns", tabs + 1), kHint);
    }
    std::string_view left = line;
    for (std::size_t i = 0; i <= tabs; ++i) {
      columns[i] = left.substr(0, left.find('\t'));
      left.remove_prefix(std::min(left.size(), columns[i].size() + 1));
    }
    if (tabs == 1) {
      add(columns[0], columns[1], where);
    } else if (is_number(columns[0])) {
      add(columns[1], columns[options_.tag == TagColumn::upos ? 3 : 4], where);
    } else if (columns[0].find_first_not_of("0123456789-.") != std::string_view::npos) {
      throw InputError(where(), "the first column is not a word number", kHint);
    }
  }

  template <typename Place>
  void add(std::string_view word, std::string_view tag, const Place& where) {
    if (word.empty() || tag.empty()) throw InputError(where(), "an empty column", kHint);
    buffer_.assign(word);
    std::replace_if(buffer_.begin(), buffer_.end(), text::is_space, '_');
    text_.words.push_back(words_.id(options_.lowercase ? unicode_.lower(buffer_) : buffer_));
    text_.tag_of.push_back(tags_.id(tag));
  }

  GoldTextOptions options_;
  text::UnicodeWords unicode_;
  std::string buffer_;
  Names words_;
  Names tags_;
  GoldText text_;
};

}  // namespace

GoldText read_tagged_text(const Inputs& inputs, const GoldTextOptions& options, const RunOptions& run) {
  text::BlockReader reader(text::expand_inputs(inputs, run.stop), text::CutAt::line, kBlockBytes);
  TaggedReader tagged(options);
  text::Block block;
  base::Stage stage(run, "reading tags", "bytes", reader.bytes_total());
  while (reader.next(block)) {
    run.check_stop();
    text::check_block(block, InvalidUtf8::error);
    tagged.read(block);
    stage.advance(reader.bytes_done());
  }
  stage.end();
  GoldText text = tagged.finish();
  if (text.words.empty()) throw InputError({inputs.first_name()}, "no tagged words", kHint);
  return text;
}

}  // namespace firth
