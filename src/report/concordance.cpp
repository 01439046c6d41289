#include <algorithm>

#include "firth/report.hpp"
#include "text/inputs.hpp"
#include "text/sentence_reader.hpp"

namespace firth {
namespace {

/// The words that get a line.
std::vector<bool> wanted_words(const Clustering& clustering, std::size_t words_per_class) {
  std::vector<bool> wanted(clustering.word_count());
  std::vector<std::size_t> taken(clustering.class_count());
  for (WordId word = 0; word < clustering.word_count(); ++word)
    wanted[word] = ++taken[clustering.class_of(word)] <= words_per_class;
  return wanted;
}

/// Walks through a text and keeps the best place of each wanted word.
class Finder {
 public:
  Finder(const Clustering& clustering, const ConcordanceOptions& options, text::SentenceReader& reader)
      : index_(clustering.vocabulary()),
        width_(options.width),
        reader_(reader),
        open_(wanted_words(clustering, options.words_per_class)),
        company_(clustering.word_count(), -1),
        lines_(clustering.word_count()) {}

  void look_at(std::span<const WordId> sentence) {
    while (known_.size() < reader_.word_count())
      known_.push_back(index_.find(reader_.word(static_cast<WordId>(known_.size()))));
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      const std::optional<WordId> word = known_[sentence[i]];
      if (word && open_[*word]) keep(*word, sentence, i);
    }
  }

  std::vector<ConcordanceLine> take() {
    std::vector<ConcordanceLine> found;
    for (WordId word = 0; word < lines_.size(); ++word) {
      if (company_[word] >= 0) found.push_back(std::move(lines_[word]));
    }
    return found;
  }

 private:
  void keep(WordId word, std::span<const WordId> sentence, std::size_t place) {
    const std::size_t begin = place - std::min(place, width_);
    const std::size_t end = std::min(sentence.size(), place + width_ + 1);
    const auto company = static_cast<int>(end - begin - 1);
    if (company <= company_[word]) return;
    company_[word] = company;
    open_[word] = company < static_cast<int>(2 * width_);
    lines_[word] = {word, joined(sentence.subspan(begin, place - begin)),
                    joined(sentence.subspan(place + 1, end - place - 1))};
  }

  std::string joined(std::span<const WordId> words) const {
    constexpr std::size_t kLongestWord = 60;
    std::string text;
    for (const WordId id : words) {
      const std::string_view word = reader_.word(id);
      if (!text.empty()) text += ' ';
      text += word.size() > kLongestWord ? "..." : word;
    }
    return text;
  }

  WordIndex index_;
  std::size_t width_;
  text::SentenceReader& reader_;
  std::vector<bool> open_;    ///< words that still want a better line
  std::vector<int> company_;  ///< words around the line that was kept; -1 = none was
  std::vector<ConcordanceLine> lines_;
  std::vector<std::optional<WordId>> known_;  ///< by the reader's number
};

}  // namespace

std::vector<ConcordanceLine> concordance(const Clustering& clustering, const Inputs& inputs,
                                         const TextOptions& text, const ConcordanceOptions& options,
                                         const RunOptions& run) {
  text::SentenceReader reader(text::expand_inputs(inputs, run.stop), text, run);
  Finder finder(clustering, options, reader);
  std::span<const WordId> sentence;
  while (reader.next(sentence)) finder.look_at(sentence);
  return finder.take();
}

}  // namespace firth
