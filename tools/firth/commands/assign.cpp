// firth assign: classes for words that were not clustered.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <firth/assign.hpp>
#include <firth/cluster_vectors.hpp>
#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <limits>

#include "commands/commands.hpp"
#include "commands/result_files.hpp"
#include "model_text.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

constexpr const char* kAssignDescription =
    "For each word of TEXT that is not in the model, finds the class whose words have the same kind of neighbours. What the model learnt about neighbouring classes is kept with it (bigrams.tsv), so a few new lines are enough; classes in other formats need a text in which their words occur. Words with too few neighbours are placed by their spelling (beginning, ending, shape, digits). With -o, writes the model together with the new words. Prints a line for every new word, separated by tabs: word, class (the model's number), what decided (contexts or spelling), margin in nats over the second best class, its count, its contexts, and up to three words of the class. Margins below about 2 are guesses. With --vectors, new vectors go to the class with the nearest mean; a line is then: word, class, distance to the mean, how much farther away the second nearest mean is, and words of the class.";

/// The most frequent words of each class.
std::vector<std::string> example_words(const Clustering& model) {
  constexpr std::size_t kExamples = 3;
  std::vector<std::string> examples;
  for (const std::vector<WordId>& words : model.members()) {
    std::string& text = examples.emplace_back();
    for (std::size_t i = 0; i < std::min(kExamples, words.size()); ++i) {
      if (i > 0) text += ' ';
      text += model.vocabulary().word(words[i]);
    }
  }
  return examples;
}

class AssignCommand : public Command {
 public:
  std::string name() const override { return "assign"; }
  std::string summary() const override { return "finds classes for words that were not clustered"; }
  std::string description() const override { return kAssignDescription; }
  std::vector<Example> examples() const override {
    return {{"firth assign out new.txt -o more", "The classes in out, and the new words of new.txt."},
            {"firth assign paths old.txt new.txt > table.tsv",
             "Classes of another tool, with the text that they were made from."},
            {"firth assign out --vectors new.npy",
             "New vectors, where out was made by firth cluster --vectors."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A folder that firth cluster wrote, or classes in any other format.");
    options.positionals("TEXT", inputs_, "Text or count files, folders, or - for standard input.", false);
    options.group("Assignment");
    options.text("--model", "DIR", named_model_, "The model; arguments are all TEXT then.");
    options.hide_last();
    options.text("--vectors", "FILE", vectors_,
                 "Vectors instead of a text, for a model that was made from vectors.");
    options.text("-o,--output", "DIR", folder_, "Folder for the model with the new words.");
    options.writes_folder();
    options.number<Count>("--min-contexts", "N", options_.min_contexts,
                          {0, std::numeric_limits<Count>::max()},
                          "Place words with fewer than N known neighbours by their spelling.");
    options.flag("--force", force_, "Replace classes in the folder even if Firth did not write them.");
    model_text_.declare(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary);
    session.declare(options, {.threads = true, .seed = false, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    if (!named_model_.empty()) {
      inputs_.insert(inputs_.begin(), model_);
      model_ = named_model_;
    }
    if (!vectors_.empty() && !inputs_.empty())
      throw UsageError("new words come from TEXT or from --vectors", "give one of the two");
    if (inputs_.empty()) inputs_.emplace_back(kStandardInput);
    const Clustering model = load_clustering(model_, ClusterFormat::automatic, session.run());
    if (!vectors_.empty()) return assign_by_vectors(model, session);
    model_text_.follow(model.preprocessing(), model_, inputs_, session);
    const Counts counts = read_counts(session.text(inputs_), counting_, session.run());
    const Assignment assignment = assign_words(model, counts, options_, session.run());
    if (!folder_.empty()) save_result(folder_, assignment.clustering);
    const std::vector<std::string> examples = example_words(model);
    std::size_t spelled = 0;
    for (const AssignedWord& word : assignment.words) {
      const bool spelling = word.by == AssignedBy::spelling;
      spelled += spelling ? 1 : 0;
      const std::string by = spelling ? "spelling" : "contexts";
      if (session.json()) {
        session.report({{"word", word.word},
                        {"class", static_cast<double>(word.class_id)},
                        {"by", by},
                        {"margin_nats", word.margin_nats},
                        {"count", static_cast<double>(word.count)},
                        {"contexts", static_cast<double>(word.contexts)},
                        {"examples", examples[word.class_id]}},
                       "");
        continue;
      }
      session.print(fmt::format("{}\t{}\t{}\t{:.3f}\t{}\t{}\t{}\n", word.word, word.class_id, by,
                                word.margin_nats, word.count, word.contexts, examples[word.class_id]));
    }
    session.say(fmt::format("{}: {} by contexts, {} by spelling; {} words of the text were known",
                            counted(assignment.words.size(), "new word", "new words"),
                            assignment.words.size() - spelled, spelled,
                            counts.vocabulary().size() - assignment.words.size()));
  }

 private:
  void assign_by_vectors(const Clustering& model, Session& session) {
    const ClassMeans means = load_class_means(model_, model.class_count(), session.run());
    const WordVectors fresh = load_vectors(vectors_, session.run());
    const VectorAssignment assignment = assign_vectors(model, means, fresh, session.run());
    if (!folder_.empty()) save_with_means(model, means, assignment.clustering);
    const std::vector<std::string> examples = example_words(model);
    for (const AssignedVector& word : assignment.words) {
      const NearestClass& near = word.nearest;
      session.print(fmt::format("{}\t{}\t{:.4f}\t{:.4f}\t{}\n", word.word, near.class_id, near.distance,
                                near.margin, examples[near.class_id]));
    }
    session.say(fmt::format("{} new vectors; {} were known", assignment.words.size(),
                            fresh.vocabulary.size() - assignment.words.size()));
  }

  /// The larger model keeps the means of the one that it grew from, under its own numbers of classes.
  void save_with_means(const Clustering& model, const ClassMeans& means, const Clustering& larger) const {
    const WordIndex index(larger.vocabulary());
    ClassMeans renumbered = means;
    for (const std::vector<WordId>& words : model.members()) {
      const ClassId from = model.class_of(words.front());
      const ClassId to = larger.class_of(*index.find(model.vocabulary().word(words.front())));
      renumbered.sizes[to] = means.sizes[from];
      for (std::size_t j = 0; j < means.dimensions; ++j)
        renumbered.means[to * means.dimensions + j] = means.means[from * means.dimensions + j];
    }
    OutputTransaction outputs;
    outputs.claim_folder(folder_, is_result_file);
    save_clustering(folder_, larger, ClusterFormat::firth);
    save_class_means(folder_, renumbered);
    outputs.commit();
  }

  static constexpr const char* kStandardInput = "-";

  std::string model_;
  std::string named_model_;
  std::string vectors_;
  std::vector<std::string> inputs_;
  std::string folder_;
  CountOptions counting_;
  ModelText model_text_;
  bool force_ = false;
  AssignOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_assign_command() {
  return std::make_unique<AssignCommand>();
}

}  // namespace firth::cli
