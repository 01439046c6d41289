#include "treebank/tagged_reader.hpp"

#include <algorithm>
#include <vector>

#include "text/block_reader.hpp"
#include "text/block_words.hpp"
#include "text/inputs.hpp"

namespace firth::treebank {
namespace {

constexpr const char* kSequenceLabel = "SEQ";
constexpr std::size_t kConlluColumns = 10;

std::vector<std::string_view> split_tabs(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find('\t', begin);
    fields.push_back(line.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return fields;
    begin = end + 1;
  }
}

/// Words may have blanks in CoNLL-U; words and tags in a tree have none.
std::string without_blanks(std::string_view word) {
  std::string result(word);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }, '_');
  return escape_brackets(result);
}

}  // namespace

struct TaggedReader::Impl {
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  Impl(const Inputs& inputs, const RunOptions& run_options)
      : run(run_options),
        blocks(text::expand_inputs(inputs, run_options.stop), text::CutAt::line, kBlockBytes) {}

  /// False at the end of everything.
  bool next_line(std::string_view& line) {
    while (left.empty()) {
      run.check_stop();
      if (!blocks.next(block)) return false;
      text::check_block(block, InvalidUtf8::error);
      left = block.text();
      line_number = block.first_line;
    }
    const std::size_t end = left.find('\n');
    line = left.substr(0, end);
    left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    where = {text::display_name(block.path), line_number++, 0};
    return true;
  }

  /// Adds the word of a line, if it has one.
  void add_line(std::string_view line, Tree& tree) const {
    const std::vector<std::string_view> fields = split_tabs(line);
    const bool is_conllu = fields.size() == kConlluColumns;
    if (!is_conllu && fields.size() != 2)
      throw InputError(where, "neither CoNLL-U nor a word and its tag", "put a tab between word and tag");
    // 3-4 is a contraction whose parts follow, 5.1 a word that is not there.
    if (is_conllu && fields[0].find_first_of("-.") != std::string_view::npos) return;
    const std::string_view word = fields[is_conllu ? 1 : 0];
    std::string_view tag = fields[is_conllu ? 3 : 1];
    if (is_conllu && tag == "_") tag = fields[4];
    if (word.empty() || tag.empty()) throw InputError(where, "a word or its tag is missing");
    tree.nodes.push_back({without_blanks(tag), without_blanks(word), 1});
  }

  RunOptions run;
  text::BlockReader blocks;
  text::Block block;
  std::string_view left;
  std::uint64_t line_number = 1;
  SourceLocation where;
};

TaggedReader::TaggedReader(const Inputs& inputs, const RunOptions& run)
    : impl_(std::make_unique<Impl>(inputs, run)) {}

TaggedReader::~TaggedReader() = default;

bool TaggedReader::next(Tree& tree) {
  tree.nodes.assign(1, {kSequenceLabel, {}, 1});
  std::string_view line;
  bool more = true;
  while ((more = impl_->next_line(line))) {
    if (line.starts_with('#') && line.find('\t') == std::string_view::npos) continue;
    if (!line.empty()) {
      impl_->add_line(line, tree);
    } else if (tree.nodes.size() > 1) {
      break;
    }
  }
  tree.nodes.front().size = static_cast<std::uint32_t>(tree.nodes.size());
  return tree.nodes.size() > 1;
}

}  // namespace firth::treebank
