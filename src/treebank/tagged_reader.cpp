#include "treebank/tagged_reader.hpp"

#include "text/token_reader.hpp"

namespace firth::treebank {
namespace {

constexpr const char* kSequenceLabel = "SEQ";

}  // namespace

struct TaggedReader::Impl {
  Impl(const Inputs& inputs, const TokenOptions& options, const RunOptions& run)
      : tokens(inputs, options, text::ReadColumns::tags, run) {}

  text::TokenReader tokens;
  text::TokenSentence sentence;
  std::string buffer;
};

TaggedReader::TaggedReader(const Inputs& inputs, const TokenOptions& options, const RunOptions& run)
    : impl_(std::make_unique<Impl>(inputs, options, run)) {}

TaggedReader::~TaggedReader() = default;

bool TaggedReader::next(Tree& tree) {
  text::TokenSentence& sentence = impl_->sentence;
  tree.nodes.assign(1, {kSequenceLabel, {}, 1});
  while (tree.nodes.size() == 1 && impl_->tokens.next(sentence)) {
    for (const text::TokenLine& line : sentence.lines) {
      if (!line.is_token()) continue;
      const std::string_view tag = text::as_word(sentence.part(line.tag), impl_->buffer);
      tree.nodes.push_back({escape_brackets(tag), escape_brackets(sentence.part(line.word)), 1});
    }
  }
  tree.nodes.front().size = static_cast<std::uint32_t>(tree.nodes.size());
  return tree.nodes.size() > 1;
}

}  // namespace firth::treebank
