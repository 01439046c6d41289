#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/memory_limit.hpp"
#include "base/rng.hpp"
#include "base/stage.hpp"
#include "base/transaction.hpp"
#include "firth/error.hpp"
#include "firth/sample.hpp"

namespace firth {
namespace {

// The text must not repeat the draws that made the model.
constexpr std::uint64_t kTextStream = 1;  // the model is drawn from stream 0
constexpr std::uint64_t kTokensBetweenReports = 1u << 16;

/// Draws from running sums of weights.
std::size_t draw(std::span<const double> sums, base::Rng& rng) {
  const double x = rng.uniform() * sums.back();
  const auto found = std::upper_bound(sums.begin(), sums.end(), x);
  return std::min(static_cast<std::size_t>(found - sums.begin()), sums.size() - 1);
}

/// The model's probabilities as running sums, and the drawing of sentences.
class SentenceDrawer {
 public:
  SentenceDrawer(const BrownModel& model, std::uint64_t seed)
      : model_(model), rng_(base::Rng::stream(seed, kTextStream)) {
    const std::uint32_t classes = model.class_count();
    next_.resize(std::size_t{classes} * classes);
    for (ClassId id = 0; id < classes; ++id) {
      const auto row = model.transitions(id);
      std::partial_sum(row.begin(), row.end(),
                       next_.begin() + static_cast<std::ptrdiff_t>(std::size_t{id} * classes));
    }
    const auto stationary = model.class_probabilities();
    std::vector<double> first(stationary.begin(), stationary.end());
    if (model.options().first == FirstClass::uniform) std::fill(first.begin(), first.end(), 1.0 / classes);
    first_.resize(first.size());
    std::partial_sum(first.begin(), first.end(), first_.begin());
    starts_.assign(std::size_t{classes} + 1, 0);
    for (std::uint32_t word = 0; word < model.word_count(); ++word) {
      const ClassId id = model.class_of(word);
      const bool fresh = starts_[id] == word;
      emission_.push_back(model.emission(word) + (fresh ? 0.0 : emission_.back()));
      starts_[std::size_t{id} + 1] = word + 1;
    }
  }

  /// Words of one sentence of at most `max_words` words.
  void draw_sentence(std::uint64_t max_words, std::vector<std::uint32_t>& words) {
    const std::uint64_t mean = model_.options().sentence_length;
    const std::uint64_t length = model_.options().fixed_length ? mean : 1 + rng_.below(2 * mean - 1);
    words.clear();
    std::size_t id = draw(first_, rng_);
    for (std::uint64_t i = 0; i < std::min(length, max_words); ++i) {
      if (i > 0) id = draw(std::span(next_).subspan(id * first_.size(), first_.size()), rng_);
      const std::span emissions = std::span(emission_).subspan(starts_[id], starts_[id + 1] - starts_[id]);
      words.push_back(static_cast<std::uint32_t>(starts_[id] + draw(emissions, rng_)));
    }
  }

 private:
  const BrownModel& model_;
  base::Rng rng_;
  std::vector<double> next_;
  std::vector<double> first_;
  std::vector<double> emission_;
  std::vector<std::uint32_t> starts_;
};

/// Sentences until there are `tokens` words.
void draw_text(const BrownModel& model, std::uint64_t tokens, const RunOptions& run,
               const std::function<void(std::span<const std::uint32_t>)>& take) {
  SentenceDrawer drawer(model, run.seed);
  std::vector<std::uint32_t> words;
  std::uint64_t report = kTokensBetweenReports;
  const base::Stage stage(run, "drawing", "words", tokens);
  for (std::uint64_t done = 0; done < tokens; done += words.size()) {
    if (done >= report) {
      run.check_stop();
      stage.advance(done);
      report = done + kTokensBetweenReports;
    }
    drawer.draw_sentence(tokens - done, words);
    take(words);
  }
}

void put_line(const BrownModel& model, std::span<const std::uint32_t> words, std::string& line) {
  line.clear();
  for (const std::uint32_t word : words) {
    line += model.word(word);
    line += ' ';
  }
  line.back() = '\n';
}

Clustering true_classes(const BrownModel& model, std::span<const Count> counts) {
  std::vector<std::pair<std::string, Count>> words;
  for (std::uint32_t i = 0; i < model.word_count(); ++i) words.emplace_back(model.word(i), counts[i]);
  const Vocabulary vocabulary = Vocabulary::from_words(std::move(words));
  const WordIndex index(vocabulary);
  std::vector<ClassId> classes(model.word_count());
  for (std::uint32_t i = 0; i < model.word_count(); ++i)
    classes[*index.find(model.word(i))] = model.class_of(i);
  return {vocabulary, classes};
}

/// What an earlier clustering in the folder has besides classes.tsv: it would be read along with that.
bool is_other_clustering(std::string_view name) {
  return name == "paths" || name == "merges.tsv" || name == "counts.tsv" || name == "run.json";
}

void check_memory(const BrownModelOptions& options, const RunOptions& run) {
  const std::uint64_t classes = options.classes;
  const std::uint64_t needed = 2 * sizeof(double) * classes * classes + 128 * std::uint64_t{options.words};
  base::require_memory(run, needed, fmt::format("a model of {} classes and {} words", classes, options.words),
                       "ask for fewer classes");
}

}  // namespace

void BrownModel::sample(std::uint64_t tokens, const std::function<void(std::string_view line)>& write,
                        const RunOptions& run) const {
  std::string line;
  draw_text(*this, tokens, run, [&](std::span<const std::uint32_t> words) {
    put_line(*this, words, line);
    write(line);
  });
}

BrownSample save_brown_sample(const std::string& folder, const BrownModelOptions& options,
                              std::uint64_t tokens, const RunOptions& run) {
  if (tokens == 0) throw UsageError("0 words are asked for");
  check_memory(options, run);
  const BrownModel model(options, run.seed);
  base::Transaction files;
  files.claim(folder, is_other_clustering);
  base::OutputFile text(base::joined(folder, "text.txt"));
  BrownSample result;
  std::vector<Count> counts(model.word_count());
  std::string line;
  draw_text(model, tokens, run, [&](std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) ++counts[word];
    put_line(model, words, line);
    text.write(line);
    ++result.lines;
  });
  result.truth = true_classes(model, counts);
  result.unseen = static_cast<std::uint64_t>(std::count(counts.begin(), counts.end(), Count{0}));
  base::OutputFile classes(base::joined(folder, "classes.tsv"));
  classes.write(format_clustering(result.truth, ClusterFormat::classes));
  text.commit();
  classes.commit();
  files.commit();
  return result;
}

}  // namespace firth
