#include <algorithm>
#include <mutex>

#include "firth/error.hpp"
#include "parser/sentence_parser.hpp"

namespace firth {

void validate(const ParseOptions& options) {
  if (!(options.prune >= 0 && options.prune < 1)) {
    throw UsageError("the pruning threshold is at least 0 and below 1", "0 prunes nothing");
  }
  if (!(options.min_marginal >= 0 && options.min_marginal <= 1)) {
    throw UsageError("the smallest marginal to be given is from 0 to 1", "0 gives all");
  }
}

struct Parser::Impl {
  Impl(std::vector<Lpcfg> grammars, const ParseOptions& options) : tables(std::move(grammars), options) {}

  // Charts keep their memory from one sentence to the next; a thread takes whichever is free.
  std::unique_ptr<parser::SentenceParser> take() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return std::make_unique<parser::SentenceParser>(tables);
    auto taken = std::move(idle.back());
    idle.pop_back();
    return taken;
  }

  void return_to_pool(std::unique_ptr<parser::SentenceParser> charts) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(charts));
  }

  parser::ParserTables tables;
  std::mutex mutex;
  std::vector<std::unique_ptr<parser::SentenceParser>> idle;
};

Parser::Parser(Lpcfg grammar, const ParseOptions& options)
    : Parser(std::vector<Lpcfg>{std::move(grammar)}, options) {}

Parser::Parser(std::vector<Lpcfg> grammars, const ParseOptions& options) {
  validate(options);
  if (grammars.empty()) throw UsageError("there is no grammar to parse with", "give at least one");
  impl_ = std::make_unique<Impl>(std::move(grammars), options);
}

Parser::~Parser() = default;
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;

ParseResult Parser::parse(std::span<const ParserToken> sentence, const RunOptions& run) const {
  auto charts = impl_->take();
  ParseResult result = charts->parse(sentence, run.memory_bytes, run.stop);
  impl_->return_to_pool(std::move(charts));
  return result;
}

const ParseOptions& Parser::options() const noexcept {
  return impl_->tables.options;
}

const Lpcfg& Parser::grammar() const noexcept {
  return impl_->tables.first().lpcfg;
}

bool Parser::knows_tag(const std::string& tag) const {
  const auto& grammars = impl_->tables.grammars;
  return std::any_of(grammars.begin(), grammars.end(),
                     [&](const auto& grammar) { return grammar->tagger.knows_tag(tag); });
}

std::uint64_t Parser::max_chart_bytes(std::size_t words) const {
  std::uint64_t bytes = 0;
  for (const auto& grammar : impl_->tables.grammars) {
    bytes += parser::PlainChart(grammar->coarse).max_bytes(words) +
             parser::PlainChart(grammar->plain).max_bytes(words);
  }
  return bytes;
}

}  // namespace firth
