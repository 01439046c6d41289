#include "lm/recipe/held_out.hpp"

#include <memory>
#include <span>
#include <string>

#include "text/sentence_reader.hpp"

namespace firth::lm {
namespace {

constexpr std::uint64_t kStretches = 10;
constexpr std::uint64_t kOneOf = 20;

/// Progress of the reader would hide that of what reads from it.
RunOptions quietly(const RunOptions& run) {
  RunOptions own = run;
  own.progress = nullptr;
  return own;
}

bool is_in(Share share, std::uint64_t number, std::uint64_t sentences) {
  return share == Share::all || is_held_out(number, sentences) == (share == Share::held_out);
}

/// Sentences of a share, one after the other.
class ShareReader {
 public:
  ShareReader(const std::vector<text::InputFile>& files, const TextOptions& options, const RunOptions& run)
      : run_(quietly(run)), reader_(files, options, run_) {}

  bool next(std::vector<std::string>& words, Share share, std::uint64_t sentences) {
    for (std::span<const WordId> sentence; reader_.next(sentence);) {
      if (sentence.empty() || !is_in(share, number_++, sentences)) continue;
      words.clear();
      for (const WordId word : sentence) words.emplace_back(reader_.word(word));
      return true;
    }
    return false;
  }

 private:
  RunOptions run_;
  text::SentenceReader reader_;
  std::uint64_t number_ = 0;
};

}  // namespace

bool is_held_out(std::uint64_t number, std::uint64_t sentences) noexcept {
  const std::uint64_t stretch = sentences / kStretches;
  if (stretch == 0 || number >= stretch * kStretches) return false;
  const std::uint64_t place = number % stretch;
  // From the middle of each tenth of the text: its begin and end are often of another kind.
  return place >= stretch / 2 && place < stretch / 2 + stretch / kOneOf;
}

DividedText::DividedText(const Inputs& inputs, const TextOptions& options, const RunOptions& run)
    : files_(text::expand_inputs(inputs, run.stop)), options_(options), run_(run) {
  text::spool_unseekable(files_, run.temp_folder);
  text::SentenceReader reader(files_, options_, run);
  for (std::span<const WordId> sentence; reader.next(sentence);) {
    sentences_ += sentence.empty() ? 0 : 1;
    tokens_ += sentence.size();
  }
}

std::uint64_t DividedText::held_out() const noexcept {
  return kStretches * (sentences_ / kStretches / kOneOf);
}

Inputs DividedText::share(Share which) const {
  auto reader = std::make_shared<ShareReader>(files_, options_, run_);
  return Inputs::from_tokens(
      [reader, which, sentences = sentences_](std::vector<std::string>& words) {
        return reader->next(words, which, sentences);
      },
      files_.front().path);
}

TextOptions DividedText::share_options() const {
  TextOptions options;
  options.normalize = options_.normalize;
  options.lowercase = options_.lowercase;
  options.tokenize = options_.tokenize;
  return options;
}

}  // namespace firth::lm
