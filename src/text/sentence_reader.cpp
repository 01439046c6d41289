#include "text/sentence_reader.hpp"

#include <algorithm>

#include "base/stage.hpp"
#include "firth/error.hpp"
#include "text/block_reader.hpp"
#include "text/block_words.hpp"
#include "text/parse_block.hpp"
#include "text/text_options.hpp"
#include "text/word_table.hpp"

namespace firth::text {
namespace {

constexpr unsigned kRecentBits = 13;  // words found without a look into the table: a few hundred KB

}  // namespace

struct SentenceReader::Impl {
  Impl(std::vector<InputFile> files, const TextOptions& text, const RunOptions& run_options)
      : options(text),
        run(run_options),
        parser(text, run_options),
        reader(std::move(files), block_options()),
        sink(text, table, kRecentBits),
        stage(run_options, "reading", "bytes", reader.bytes_total()) {}

  // Where every line, blank or not, is a sentence. Elsewhere sentences that may go on in the next block wait
  // for it.
  bool is_line_by_line() const {
    return options.format == InputFormat::text && options.boundaries == TextBoundaries::lines;
  }

  BlockOptions block_options() const {
    BlockOptions blocks = parser.block_options();
    blocks.max_bytes = max_line_bytes(run.memory_bytes);
    if (is_line_by_line()) blocks.cut = CutAt::line;
    return blocks;
  }

  bool read_block() {
    run.check_stop();
    std::vector<WordId>& ids = sink.words.ids;
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(begin));
    sink.words.ends.clear();
    begin = 0;
    next_end = 0;
    if (!reader.next(block)) {
      finished = true;
      warn_of_repairs(run, sink.repaired, sink.normalized_characters());
      if (!ids.empty()) sink.words.end_sequence();
      stage.end();
      return !ids.empty();
    }
    if (block.starts_file && !ids.empty()) sink.words.end_sequence();
    parse();
    if (words.size() != table.size()) words = table.entries();
    stage.advance(reader.bytes_done());
    return true;
  }

  void parse() {
    if (!is_line_by_line()) return parser.parse(block, sink);
    check_block(block, options.invalid_utf8);
    sink.repaired += block.repaired;
    parse_lines(block, options, sink);
  }

  TextOptions options;
  RunOptions run;
  BlockParser parser;
  BlockReader reader;
  Block block;
  WordTable table;
  WordSink sink;
  std::vector<const WordEntry*> words;
  std::size_t begin = 0;     // of the next sentence in sink.words.ids
  std::size_t next_end = 0;  // in sink.words.ends
  bool finished = false;
  base::Stage stage;
};

SentenceReader::SentenceReader(std::vector<InputFile> files, const TextOptions& options,
                               const RunOptions& run) {
  if (options.format == InputFormat::counts) {
    throw UsageError("counts have no sentences", "give the text itself, and its TextOptions::format",
                     "TextOptions::format");
  }
  validate(options);
  const TextOptions resolved = resolve_format(files, options);
  impl_ = std::make_unique<Impl>(std::move(files), resolved, run);
}

SentenceReader::~SentenceReader() = default;

bool SentenceReader::next(std::span<const WordId>& sentence) {
  Impl& impl = *impl_;
  while (impl.next_end == impl.sink.words.ends.size()) {
    if (impl.finished || !impl.read_block()) return false;
  }
  const std::size_t end = impl.sink.words.ends[impl.next_end++];
  const std::span<WordId> words = std::span(impl.sink.words.ids).subspan(impl.begin, end - impl.begin);
  sentence = words;
  if (impl.options.squeeze)
    sentence = words.first(static_cast<std::size_t>(std::unique(words.begin(), words.end()) - words.begin()));
  impl.begin = end;
  return true;
}

std::size_t SentenceReader::word_count() const {
  return impl_->words.size();
}

std::string_view SentenceReader::word(WordId id) const {
  return impl_->words[id]->text();
}

std::vector<CountedWord> count_words(SentenceReader& reader) {
  std::vector<Count> counts;
  for (std::span<const WordId> sentence; reader.next(sentence);) {
    counts.resize(reader.word_count(), 0);
    for (const WordId word : sentence) ++counts[word];
  }
  std::vector<CountedWord> words;
  for (WordId word = 0; word < counts.size(); ++word) words.push_back({reader.word(word), counts[word]});
  return words;
}

}  // namespace firth::text
