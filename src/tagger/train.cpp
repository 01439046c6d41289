#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "tagger/learner.hpp"
#include "tagger/training_data.hpp"

namespace firth {
namespace tagger {
namespace {

/// Beam of a perceptron if nobody asked for another.
constexpr int kUsualBeam = 4;
/// With more tags a conditional random field, which looks at all pairs of them, takes long.
constexpr std::size_t kMaxTagsOfCrf = 128;

bool is_crf(const TaggerOptions& options, const TagSet& tags) {
  if (options.objective != TagObjective::automatic) return options.objective == TagObjective::crf;
  return tags.size() <= kMaxTagsOfCrf;
}

VectorTable make_vector_table(const WordVectors& source, double length) {
  if (source.dimensions == 0 || source.vocabulary.empty()) {
    throw UsageError("there are no vectors", "make them with embed_words()");
  }
  VectorTable table(source.vocabulary, source.dimensions);
  table.values.reserve(source.values.size());
  for (WordId word = 0; word < source.vocabulary.size(); ++word) {
    double squares = 0;
    for (const float x : source.row(word)) squares += static_cast<double>(x) * x;
    const double factor = squares > 0 && std::isfinite(squares) ? length / std::sqrt(squares) : 0;
    for (const float x : source.row(word)) {
      table.values.push_back(factor > 0 ? static_cast<float>(x * factor) : 0.0F);
    }
  }
  return table;
}

NameTable make_name_table(const NameList& list) {
  text::UnicodeWords unicode;
  NameTable table;
  for (const std::string& name : list.names) table.add(name, unicode);
  return table;
}

void add_knowledge(const TaggerKnowledge& knowledge, const TaggerOptions& options, Model& model) {
  for (const ClassSource& source : knowledge.classes) {
    model.classes.push_back(make_class_table(source, model.classes.size()));
  }
  for (const WordVectors& vectors : knowledge.vectors) {
    model.vectors.push_back(make_vector_table(vectors, options.vector_length));
  }
  for (const NameList& list : knowledge.names) model.names.push_back(make_name_table(list));
}

std::unique_ptr<Learner> make_learner(std::span<const TaggedSentence> sentences, const TaggerOptions& options,
                                      Model& model, const RunOptions& run) {
  const bool crf = is_crf(options, model.tags);
  if (!crf && options.recipe == TagRecipe::small) {
    throw UsageError("a perceptron cannot be small",
                     "set TaggerOptions::objective to a conditional random field", "TaggerOptions::recipe");
  }
  if (options.beam < 0) model.beam = crf ? 0 : kUsualBeam;
  return crf ? make_crf(sentences, options, model, run) : make_perceptron(sentences, model, run);
}

std::vector<Hash> known_words(std::span<const TaggedSentence> sentences) {
  std::vector<Hash> known;
  for (const TaggedSentence& sentence : sentences) {
    for (const std::string& word : sentence.words) known.push_back(known_hash(word));
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return known;
}

/// The sentences as the tagger sees them.
std::vector<TaggedSentence> spelled(std::span<const TaggedSentence> sentences, const Preprocessing& how) {
  text::WordMaker maker(how);
  std::vector<TaggedSentence> result(sentences.begin(), sentences.end());
  for (TaggedSentence& sentence : result) {
    for (std::string& word : sentence.words) word = std::string(maker.token(word));
  }
  return result;
}

/// All passes over the sentences, each in another order.
class Passes {
 public:
  Passes(Learner& learner, const TaggerOptions& options, std::size_t words, const RunOptions& run)
      : learner_(learner),
        run_(run),
        passes_(options.passes),
        trainings_(learner.may_repeat() ? options.trainings : 1),
        words_(words),
        order_(learner.sentence_count()),
        rng_(run.seed),
        stage_(run, "training", "sentences", total()) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  void make() {
    for (int training = 0; training < trainings_; ++training) {
      for (int pass = 0; pass < passes_; ++pass) make_one(training * passes_ + pass);
      if (trainings_ > 1) learner_.end_training();
    }
    stage_.advance(total(), note_);
  }

 private:
  std::uint64_t total() const {
    return static_cast<std::uint64_t>(passes_) * static_cast<std::uint64_t>(trainings_) * order_.size();
  }

  void make_one(int number) {
    base::shuffle(order_, rng_);
    std::size_t right = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      run_.check_stop();
      right += learner_.learn(order_[i]);
      if (i % 256 == 0) stage_.advance(static_cast<std::uint64_t>(number) * order_.size() + i, note_);
    }
    const double percent = 100 * static_cast<double>(right) / static_cast<double>(words_);
    note_ = fmt::format("pass {}: {:.2f}% right", number + 1, percent);
  }

  Learner& learner_;
  const RunOptions& run_;
  int passes_;
  int trainings_;
  std::size_t words_;
  std::vector<std::uint32_t> order_;
  base::Rng rng_;
  base::Stage stage_;
  std::string note_;
};

void check_sentences(std::span<const TaggedSentence> sentences) {
  if (sentences.empty())
    throw InputError({}, "there are no tagged sentences", "give files with words and tags");
  for (const TaggedSentence& sentence : sentences) {
    if (sentence.words.size() != sentence.tags.size()) {
      throw UsageError(
          fmt::format("a sentence of {} words has {} tags", sentence.words.size(), sentence.tags.size()));
    }
  }
}

}  // namespace
}  // namespace tagger

void validate(const TaggerOptions& options) {
  if (options.passes < 1 || options.passes > 1000) {
    throw UsageError(fmt::format("{} passes", options.passes), "give 1 to 1000", "TaggerOptions::passes");
  }
  if (options.trainings < 1 || options.trainings > 100) {
    throw UsageError(fmt::format("{} trainings", options.trainings), "give 1 to 100",
                     "TaggerOptions::trainings");
  }
  if (options.beam < -1 || options.beam > tagger::kMaxBeam) {
    throw UsageError(fmt::format("a beam of {}", options.beam),
                     fmt::format("give 1 (greedy) to {}, 0 for an exact search, or -1", tagger::kMaxBeam),
                     "TaggerOptions::beam");
  }
  if (!(options.recall_cost >= 0 && options.recall_cost <= 20)) {
    throw UsageError(fmt::format("a recall cost of {}", options.recall_cost), "give 0 to 20",
                     "TaggerOptions::recall_cost");
  }
  if (!(options.min_weight >= 0 && options.min_weight <= 1)) {
    throw UsageError(fmt::format("weights below {} left out", options.min_weight), "give 0 to 1",
                     "TaggerOptions::min_weight");
  }
  if (!(options.vector_length > 0 && options.vector_length <= 1e6)) {
    throw UsageError("vectors cannot get this length", "give a number above 0",
                     "TaggerOptions::vector_length");
  }
}

Tagger train_tagger(std::span<const TaggedSentence> sentences, const TaggerOptions& options,
                    const TaggerKnowledge& knowledge, const RunOptions& run) {
  validate(options);
  tagger::check_sentences(sentences);
  std::vector<TaggedSentence> copies;
  if (options.words != Preprocessing{}) {
    copies = tagger::spelled(sentences, options.words);
    sentences = copies;
  }
  const auto model = std::make_shared<tagger::Model>();
  model->spelling = options.words;
  model->tags = tagger::find_tags(sentences, options.scheme);
  model->beam = options.beam;
  model->joint = options.recipe != TagRecipe::fast;
  tagger::add_knowledge(knowledge, options, *model);
  model->known_words = tagger::known_words(sentences);
  const auto learner = tagger::make_learner(sentences, options, *model, run);
  std::size_t words = 0;
  for (const TaggedSentence& sentence : sentences) words += sentence.words.size();
  tagger::Passes(*learner, options, words, run).make();
  learner->finish();
  return Tagger(model);
}

}  // namespace firth
