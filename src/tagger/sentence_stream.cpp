#include "tagger/sentence_stream.hpp"

namespace firth::tagger {

void write_sentences(TokenReader& reader, const char* stage, const RunOptions& run,
                     const std::function<void(const TokenSentence& sentence, std::string& out)>& write,
                     const std::function<void(std::string_view)>& put) {
  constexpr std::size_t kPiece = std::size_t{1} << 18U;
  TokenSentence sentence;
  std::string out;
  if (run.progress != nullptr) run.progress->begin(stage, "bytes", reader.bytes_total());
  while (reader.next(sentence)) {
    run.check_stop();
    write(sentence, out);
    if (out.size() < kPiece) continue;
    put(out);
    out.clear();
    if (run.progress != nullptr) run.progress->advance(reader.bytes_done(), "");
  }
  put(out);
  if (run.progress != nullptr) run.progress->end();
}

}  // namespace firth::tagger
