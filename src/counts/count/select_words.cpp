#include "counts/count/select_words.hpp"

#include <string_view>

#include "text/block_reader.hpp"
#include "text/block_words.hpp"
#include "text/inputs.hpp"
#include "text/line_walk.hpp"

namespace firth::counts {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text::is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && text::is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::unordered_set<std::string> read_word_list(const std::string& path) {
  std::unordered_set<std::string> words;
  text::BlockReader reader({text::single_input(path, {})}, text::CutAt::line, kBlockBytes);
  for (text::Block block; reader.next(block);) {
    text::check_block(block, InvalidUtf8::error);
    text::for_each_line(block.text(), [&](std::string_view line) {
      const std::string_view word = trimmed(line.substr(0, line.find('\t')));
      if (!word.empty()) words.emplace(word);
    });
  }
  return words;
}

std::vector<bool> select_words(const Vocabulary& vocabulary, const VocabularyOptions& options) {
  const bool listed_only = !options.vocab_file.empty();
  const auto listed = listed_only ? read_word_list(options.vocab_file) : std::unordered_set<std::string>();
  std::vector<bool> selected(vocabulary.size());
  std::uint64_t taken = 0;
  for (WordId id = 0; id < vocabulary.size(); ++id) {
    const std::string_view word = vocabulary.word(id);
    if (options.rare == RarePolicy::unk && word == kUnknownWord) {
      selected[id] = true;
      continue;
    }
    if (vocabulary.count(id) < options.min_count) continue;
    if (options.max_vocab > 0 && taken == options.max_vocab) continue;
    if (listed_only && !listed.contains(std::string(word))) continue;
    selected[id] = true;
    ++taken;
  }
  return selected;
}

}  // namespace firth::counts
