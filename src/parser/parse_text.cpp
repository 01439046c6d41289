#include "base/parallel.hpp"
#include "base/stage.hpp"
#include "firth/parser.hpp"
#include "text/line_reader.hpp"

namespace firth {
namespace {

// Sentences are shared among the threads in batches of about this size.
constexpr std::size_t kBatchBytes = std::size_t{1} << 16;

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
    sentences_.push_back(split_tokens(line, parser_.options().tag_separator));
  }

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

  void hand_over(const std::function<void(const ParseResult&)>& each, ParseSummary& summary) {
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

}  // namespace

ParseSummary parse_text(const Parser& parser, const Inputs& inputs,
                        const std::function<void(const ParseResult&)>& each, const RunOptions& run) {
  text::LineReader lines(text::expand_inputs(inputs, run.stop), run, parser.options().invalid_utf8);
  ParseSummary summary;
  const base::Stage stage(run, "parsing", "sentences");
  Batch batch(parser, run);
  std::string_view line;
  for (bool more = true; more;) {
    run.check_stop();
    std::size_t bytes = 0;
    while (bytes < kBatchBytes && (more = lines.next(line))) {
      batch.add_line(line);
      bytes += line.size() + 1;
    }
    batch.parse();
    batch.hand_over(each, summary);
    stage.advance(summary.sentences);
  }
  return summary;
}

}  // namespace firth
