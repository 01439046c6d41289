#include <mutex>

#include "firth/error.hpp"
#include "parser/sentence_parser.hpp"

namespace firth {

void validate(const ParseOptions& options) {
  if (!(options.prune >= 0 && options.prune < 1)) {
    throw UsageError("the pruning threshold is at least 0 and below 1", "0 prunes nothing");
  }
}

struct Parser::Impl {
  Impl(Lpcfg grammar, const ParseOptions& options) : tables(std::move(grammar), options) {}

  // Charts keep their memory from one sentence to the next; a thread takes whichever is free.
  std::unique_ptr<parser::SentenceParser> take() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return std::make_unique<parser::SentenceParser>(tables);
    auto taken = std::move(idle.back());
    idle.pop_back();
    return taken;
  }

  void give_back(std::unique_ptr<parser::SentenceParser> charts) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(charts));
  }

  parser::ParserTables tables;
  std::mutex mutex;
  std::vector<std::unique_ptr<parser::SentenceParser>> idle;
};

Parser::Parser(Lpcfg grammar, const ParseOptions& options) {
  validate(options);
  impl_ = std::make_unique<Impl>(std::move(grammar), options);
}

Parser::~Parser() = default;
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;

ParseResult Parser::parse(std::span<const ParserToken> sentence, std::uint64_t memory_bytes) const {
  auto charts = impl_->take();
  ParseResult result = charts->parse(sentence, memory_bytes);
  impl_->give_back(std::move(charts));
  return result;
}

const ParseOptions& Parser::options() const noexcept {
  return impl_->tables.options;
}

const Lpcfg& Parser::grammar() const noexcept {
  return impl_->tables.lpcfg;
}

bool Parser::knows_tag(const std::string& tag) const {
  return impl_->tables.tagger.knows_tag(tag);
}

std::uint64_t Parser::most_chart_bytes(std::size_t words) const {
  return parser::PlainChart(impl_->tables.coarse).most_bytes(words) +
         parser::PlainChart(impl_->tables.plain).most_bytes(words);
}

}  // namespace firth
