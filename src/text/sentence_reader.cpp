#include "text/sentence_reader.hpp"

#include "base/stage.hpp"
#include "firth/error.hpp"
#include "text/block_reader.hpp"
#include "text/block_words.hpp"
#include "text/line_walk.hpp"
#include "text/word_table.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr unsigned kRecentBits = 13;  // words found without a look into the table: a few hundred KB

// As parse_text, but a blank line is a sentence of its own.
void parse_lines(const Block& block, WordSink& sink) {
  for_each_line(block.text(), [&](std::string_view line) {
    for (std::string_view piece = next_field(line); !piece.empty(); piece = next_field(line)) {
      sink.add_piece(piece);
    }
    sink.words.ends.push_back(sink.words.ids.size());
  });
}

}  // namespace

struct SentenceReader::Impl {
  Impl(std::vector<InputFile> files, const TextOptions& text, const RunOptions& run_options)
      : options(text),
        run(run_options),
        reader(std::move(files), CutAt::line, kBlockBytes),
        sink(text, table, kRecentBits),
        stage(run_options, "reading", "bytes", reader.bytes_total()) {}

  // Sentences that may go on in the next block wait for it.
  bool joins_blocks() const {
    return options.format == InputFormat::conllu || options.boundaries == Boundaries::stream;
  }

  bool read_block() {
    run.check_stop();
    std::vector<WordId> tail;
    if (joins_blocks())
      tail.assign(sink.words.ids.begin() + static_cast<std::ptrdiff_t>(begin), sink.words.ids.end());
    sink.words.clear();
    begin = 0;
    next_end = 0;
    if (!reader.next(block)) {
      finished = true;
      sink.words.ids = std::move(tail);
      if (!sink.words.ids.empty()) sink.words.end_sequence();
      stage.end();
      return !sink.words.ids.empty();
    }
    check_block(block, options.invalid_utf8);
    sink.words.ids = std::move(tail);
    if (block.starts_file && !sink.words.ids.empty()) sink.words.end_sequence();
    parse();
    if (words.size() != table.size()) words = table.entries();
    stage.advance(reader.bytes_done());
    return true;
  }

  void parse() {
    if (options.format == InputFormat::conllu) {
      parse_conllu(block, options, sink);
    } else if (options.boundaries == Boundaries::stream) {
      parse_text(block, options, sink);
    } else {
      parse_lines(block, sink);
    }
  }

  TextOptions options;
  RunOptions run;
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
  require_text_for_tokens(files, options.format);
  impl_ = std::make_unique<Impl>(std::move(files), options, run);
}

SentenceReader::~SentenceReader() = default;

bool SentenceReader::next(std::span<const WordId>& sentence) {
  Impl& impl = *impl_;
  while (impl.next_end == impl.sink.words.ends.size()) {
    if (impl.finished || !impl.read_block()) return false;
  }
  const std::size_t end = impl.sink.words.ends[impl.next_end++];
  sentence = std::span<const WordId>(impl.sink.words.ids).subspan(impl.begin, end - impl.begin);
  impl.begin = end;
  return true;
}

std::size_t SentenceReader::word_count() const {
  return impl_->words.size();
}

std::string_view SentenceReader::word(WordId id) const {
  return impl_->words[id]->text();
}

}  // namespace firth::text
