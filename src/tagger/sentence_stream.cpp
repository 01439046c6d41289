#include "tagger/sentence_stream.hpp"

#include "base/stage.hpp"

namespace firth::tagger {

void write_sentences(text::TokenReader& reader, const char* stage, const RunOptions& run,
                     const std::function<void(const text::TokenSentence& sentence, std::string& out)>& write,
                     const std::function<void(std::string_view)>& put) {
  constexpr std::size_t kPiece = std::size_t{1} << 18U;
  text::TokenSentence sentence;
  std::string out;
  const base::Stage progress(run, stage, "bytes", reader.bytes_total());
  const auto put_out = [&] {
    if (out.empty()) return;
    put(out);
    out.clear();
    progress.advance(reader.bytes_done());
  };
  reader.before_waiting(put_out);
  while (reader.next(sentence)) {
    run.check_stop();
    write(sentence, out);
    if (out.size() >= kPiece) put_out();
  }
  put(out);
}

}  // namespace firth::tagger
