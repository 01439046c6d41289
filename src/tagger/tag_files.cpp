#include <fmt/format.h>

#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "tagger/sentence_stream.hpp"
#include "tagger/tag_scheme.hpp"
#include "tagger/token_output.hpp"
#include "text/conllu.hpp"
#include "text/token_reader.hpp"

namespace firth {
namespace tagger {
namespace {

using text::TokenLine;
using text::TokenSentence;

class FileTagger {
 public:
  FileTagger(const Tagger& tagger, const TagFileOptions& options)
      : session_(tagger, options.tagging), options_(options), plain_(tagger.scheme() == TagScheme::plain) {}

  std::size_t tag(const TokenSentence& sentence, TokenFormat format, std::string& out) {
    sentence.words(words_);
    session_.tag_names(words_, options_.scheme, tags_);
    std::size_t next = 0;
    for (const TokenLine& line : sentence.lines) {
      const std::string_view text = sentence.part(line.line);
      const bool document = !line.is_token() && format == TokenFormat::columns && text.find('#') != 0;
      if (line.is_token()) {
        write(text, tags_[next++], format, out);
      } else if (document) {
        write(text, "O", format, out);
      } else {
        out += text;
        out += '\n';
      }
    }
    out += '\n';
    return words_.size();
  }

 private:
  void write(std::string_view line, std::string_view tag, TokenFormat format, std::string& out) const {
    if (format == TokenFormat::conllu && plain_) {
      constexpr auto kColumns = static_cast<int>(text::kConlluColumns);
      constexpr auto kUpos = static_cast<int>(text::kConlluUpos) + 1;
      const int column = options_.tokens.tag_column != 0 ? options_.tokens.tag_column : kUpos;
      if (column < -kColumns || column > kColumns) {
        throw UsageError(fmt::format("CoNLL-U has no column {}", column), "its columns are 1 to 10");
      }
      replace_column(line, column, tag, out);
    } else if (format == TokenFormat::conllu) {
      add_misc(line, fmt::format("Entity={}", tag), out);
    } else {
      out += line;
      out +=
          line.find('\t') == std::string_view::npos && line.find(' ') != std::string_view::npos ? ' ' : '\t';
      out += tag;
    }
    out += '\n';
  }

  TagSession session_;
  const TagFileOptions& options_;
  bool plain_;
  std::vector<std::string_view> words_;
  std::vector<std::string> tags_;
};

}  // namespace
}  // namespace tagger

std::uint64_t tag_files(const Tagger& tagger, const Inputs& inputs, const TagFileOptions& options,
                        const std::function<void(std::string_view)>& put, const RunOptions& run) {
  text::TokenReader reader(inputs, options.tokens, text::ReadColumns::words, run);
  tagger::FileTagger file_tagger(tagger, options);
  std::uint64_t words = 0;
  tagger::write_sentences(
      reader, "tagging", run,
      [&](const text::TokenSentence& sentence, std::string& out) {
        words += file_tagger.tag(sentence, reader.format(), out);
      },
      put);
  return words;
}

}  // namespace firth
