#include <optional>

#include "base/parallel.hpp"
#include "base/stage.hpp"
#include "firth/parser.hpp"
#include "firth/treebank.hpp"
#include "text/line_reader.hpp"
#include "treebank/penn_tokens.hpp"

namespace firth {
namespace {

// Sentences are shared among the threads in batches of about this size: small, so that trees come out soon.
constexpr std::size_t kSentencesPerThread = 16;

std::vector<ParserToken> split_tokens(std::string_view line, const std::string& separator) {
  std::vector<ParserToken> tokens;
  for (std::string_view field = text::next_field(line); !field.empty(); field = text::next_field(line)) {
    ParserToken token;
    const std::size_t cut = separator.empty() ? std::string_view::npos : field.rfind(separator);
    if (cut == std::string_view::npos || cut == 0 || cut + separator.size() == field.size()) {
      token.word = field;
    } else {
      token.word = field.substr(0, cut);
      token.tag = field.substr(cut + separator.size());
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// The lines of one block, parsed by all threads. Sentences too long for a thread's share of the memory wait
// until the others are done, and have all of it: so the result does not depend on the number of threads.
class Batch {
 public:
  Batch(const Parser& parser, const RunOptions& run)
      : parser_(parser), run_(run), threads_(base::resolve_threads(run.threads)) {}

  void add_line(std::string_view line) {
    const ParseOptions& options = parser_.options();
    sentences_.push_back(
        split_tokens(options.tokenize ? treebank::penn_tokens(line) : line, options.tag_separator));
  }

  void add_words(const Tree& tree) {
    std::vector<ParserToken>& words = sentences_.emplace_back();
    for (const std::uint32_t leaf : tree.leaves()) words.push_back({tree.nodes[leaf].word, {}});
  }

  bool is_full() const { return sentences_.size() >= kSentencesPerThread * threads_; }

  void parse() {
    results_.assign(sentences_.size(), {});
    std::vector<std::size_t> small;
    std::vector<std::size_t> large;
    for (std::size_t i = 0; i < sentences_.size(); ++i) (is_small(i) ? small : large).push_back(i);
    base::parallel_for(small.size(), 1, run_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) parse_one(small[i], run_.memory_bytes / threads_);
    });
    if (run_.memory_bytes == 0) return;
    for (const std::size_t i : small) {
      if (results_[i].status == ParseStatus::coarse || results_[i].status == ParseStatus::flat)
        large.push_back(i);
    }
    for (const std::size_t i : large) parse_one(i, run_.memory_bytes);
  }

  void deliver(const std::function<void(const ParseResult&)>& each, ParseSummary& summary) {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const ParseResult& result = results_[i];
      summary.sentences += result.status == ParseStatus::empty ? 0 : 1;
      summary.words += sentences_[i].size();
      summary.coarse += result.status == ParseStatus::coarse ? 1 : 0;
      summary.flat += result.status == ParseStatus::flat ? 1 : 0;
      for (const ParserToken& token : sentences_[i]) {
        summary.unknown_tags += token.tag.empty() || parser_.knows_tag(token.tag) ? 0 : 1;
      }
      each(result);
    }
    sentences_.clear();
  }

 private:
  bool is_small(std::size_t i) const {
    if (run_.memory_bytes == 0) return true;
    return 2 * parser_.max_chart_bytes(sentences_[i].size()) <= run_.memory_bytes / threads_;
  }

  void parse_one(std::size_t i, std::uint64_t memory_bytes) {
    run_.check_stop();
    results_[i] = parser_.parse(sentences_[i], {.memory_bytes = memory_bytes, .stop = run_.stop});
  }

  const Parser& parser_;
  const RunOptions& run_;
  unsigned threads_;
  std::vector<std::vector<ParserToken>> sentences_;
  std::vector<ParseResult> results_;
};

/// Where sentences come from: lines of text, or the words of trees.
class SentenceSource {
 public:
  /// `before_waiting` is called when the next sentence is still to be written by somebody, who may wait for trees first.
  SentenceSource(const Inputs& inputs, const ParseOptions& options, const RunOptions& run,
                 const std::function<void()>& before_waiting) {
    if (options.from_trees) {
      trees_.emplace(inputs, TreeLayout::lines, run);
      trees_->before_waiting(before_waiting);
    } else {
      lines_.emplace(text::expand_inputs(inputs, run.stop), run,
                     text::BlockOptions{.max_bytes = text::max_line_bytes(run.memory_bytes),
                                        .invalid_utf8 = options.invalid_utf8,
                                        .as_it_comes = true,
                                        .before_waiting = before_waiting});
    }
  }

  /// Adds the next sentence; false at the end.
  bool add_next(Batch& batch) {
    if (trees_) {
      Tree tree;
      if (!trees_->next(tree)) return false;
      clean_tree(tree);
      batch.add_words(tree);
      return true;
    }
    std::string_view line;
    if (!lines_->next(line)) return false;
    if (!looked_at_) refuse_tree(line);
    batch.add_line(line);
    return true;
  }

 private:
  // Brackets of trees would be parsed as words.
  void refuse_tree(std::string_view line) {
    std::string_view rest = line;
    if (text::next_field(rest).empty()) return;
    looked_at_ = true;
    if (!line.starts_with('(') || !is_tree(line)) return;
    throw InputError(lines_->where(), "this is a tree, not a line of text",
                     "to parse the words of trees, set ParseOptions::from_trees");
  }

  // (TAG word) somewhere, and a label or a bracket behind the first bracket.
  static bool is_tree(std::string_view line) {
    const std::size_t tag = line.rfind('(');
    const std::size_t end = line.find(')', tag);
    if (tag == 0 || end == std::string_view::npos) return false;
    std::string_view inside = line.substr(tag + 1, end - tag - 1);
    return !text::next_field(inside).empty() && !text::next_field(inside).empty() &&
           text::next_field(inside).empty();
  }

  std::optional<TreeReader> trees_;
  std::optional<text::LineReader> lines_;
  bool looked_at_ = false;
};

}  // namespace

ParseSummary parse_text(const Parser& parser, const Inputs& inputs,
                        const std::function<void(const ParseResult&)>& each, const RunOptions& run) {
  ParseSummary summary;
  const base::Stage stage(run, "parsing", "sentences");
  Batch batch(parser, run);
  const auto parse_batch = [&] {
    run.check_stop();
    batch.parse();
    batch.deliver(each, summary);
    stage.advance(summary.sentences);
  };
  SentenceSource source(inputs, parser.options(), run, parse_batch);
  while (source.add_next(batch)) {
    if (batch.is_full()) parse_batch();
  }
  parse_batch();
  return summary;
}

}  // namespace firth
