#include "counts/words/vocabulary_run.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"

namespace firth::counts {
namespace {

constexpr std::size_t kWordsPerRun = std::size_t{1} << 20;
constexpr std::size_t kWordsPerSample = 4096;

class VocabularyRun final : public WordRun {
 public:
  /// Words first .. end - 1; ids are those of the vocabulary plus `first_id`.
  VocabularyRun(Vocabulary vocabulary, WordId first, WordId end, std::uint64_t first_id)
      : vocabulary_(std::move(vocabulary)), first_id_(first_id), order_(end - first) {
    std::iota(order_.begin(), order_.end(), first);
  }

  void sort() {
    std::sort(order_.begin(), order_.end(),
              [&](WordId a, WordId b) { return vocabulary_.word(a) < vocabulary_.word(b); });
  }

  std::unique_ptr<WordCursor> range(std::string_view from, std::string_view to) const override {
    const std::size_t end = to.empty() ? order_.size() : place_of(to);
    return std::make_unique<Cursor>(*this, place_of(from), std::max(place_of(from), end));
  }

  std::vector<std::string> sample() const override {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < order_.size(); i += kWordsPerSample) {
      words.emplace_back(vocabulary_.word(order_[i]));
    }
    return words;
  }

 private:
  class Cursor final : public WordCursor {
   public:
    Cursor(const VocabularyRun& run, std::size_t begin, std::size_t end)
        : run_(run), next_(begin), end_(end) {}

    bool next(RunWord& word) override {
      if (next_ == end_) return false;
      const WordId id = run_.order_[next_++];
      word = {run_.vocabulary_.word(id), run_.vocabulary_.count(id), run_.first_id_ + id};
      return true;
    }

   private:
    const VocabularyRun& run_;
    std::size_t next_;
    std::size_t end_;
  };

  /// Of the first word that is not before `word`.
  std::size_t place_of(std::string_view word) const {
    const auto found =
        std::lower_bound(order_.begin(), order_.end(), word,
                         [&](WordId id, std::string_view wanted) { return vocabulary_.word(id) < wanted; });
    return static_cast<std::size_t>(found - order_.begin());
  }

  Vocabulary vocabulary_;
  std::uint64_t first_id_;
  std::vector<WordId> order_;
};

}  // namespace

std::vector<std::unique_ptr<WordRun>> vocabulary_runs(const std::vector<Vocabulary>& vocabularies,
                                                      const RunOptions& run) {
  std::vector<VocabularyRun*> unsorted;
  std::vector<std::unique_ptr<WordRun>> runs;
  std::uint64_t first_id = 0;
  for (const Vocabulary& vocabulary : vocabularies) {
    for (std::size_t first = 0; first < vocabulary.size(); first += kWordsPerRun) {
      const std::size_t end = std::min(first + kWordsPerRun, vocabulary.size());
      auto piece = std::make_unique<VocabularyRun>(vocabulary, static_cast<WordId>(first),
                                                   static_cast<WordId>(end), first_id);
      unsorted.push_back(piece.get());
      runs.push_back(std::move(piece));
    }
    first_id += vocabulary.size();
  }
  base::parallel_for(unsorted.size(), 1, run.threads, [&](std::size_t i, std::size_t) {
    run.check_stop();
    unsorted[i]->sort();
  });
  return runs;
}

}  // namespace firth::counts
