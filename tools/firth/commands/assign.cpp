// firth assign: classes for words that were not clustered.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <firth/assign.hpp>
#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <limits>

#include "commands/commands.hpp"
#include "commands/result_files.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

constexpr const char* kDescription =
    "Gives every word of TEXT that the model does not have a class of the model: the one whose words have "
    "such neighbours. What the model learnt about neighbouring classes is kept with it (bigrams.tsv), so a few "
    "new lines are enough; classes in other formats need a text in which their words occur. Words with too few "
    "neighbours go by their spelling (beginning, ending, shape, digits). With -o, writes the model with the new "
    "words in it. Prints, for every new word, tab-separated: word, class (the model's number), what decided "
    "(contexts or spelling), margin in nats over the second best class, its count, its contexts, and up to "
    "three words of the class. Margins below about 2 are guesses.";

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
  std::string summary() const override { return "classes for words that were not clustered"; }
  std::string description() const override { return kDescription; }
  std::vector<Example> examples() const override {
    return {{"firth assign --model out new.txt -o more", "The classes in out, and the new words of new.txt."},
            {"firth assign --model paths old.txt new.txt > table.tsv",
             "Classes of another tool, with the text that they were made from."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TEXT", inputs_, "Text or count files, folders, or - for standard input.");
    options.group("Assignment");
    options.text("--model", "DIR", model_,
                 "A folder that firth cluster wrote, or classes in any other format.");
    options.require_last();
    options.text("-o,--output", "DIR", folder_, "Folder for the model with the new words.");
    options.writes_folder();
    options.number<Count>("--min-contexts", "N", options_.min_contexts,
                          {0, std::numeric_limits<Count>::max()},
                          "Place words with fewer than N known neighbours by their spelling.");
    declare_text_options(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary);
    session.declare(options, {.threads = true, .seed = false, .memory = true});
  }

  void run(Session& session) override {
    const Clustering model = load_clustering(model_);
    const Counts counts = read_counts(inputs_, counting_, session.run());
    const Assignment assignment = assign_words(model, counts, options_, session.run());
    if (!folder_.empty()) save_result(folder_, assignment.clustering);
    const std::vector<std::string> examples = example_words(model);
    std::size_t spelled = 0;
    for (const AssignedWord& word : assignment.words) {
      const bool spelling = word.by == AssignedBy::spelling;
      spelled += spelling ? 1 : 0;
      session.print(fmt::format("{}\t{}\t{}\t{:.3f}\t{}\t{}\t{}\n", word.word, word.class_id,
                                spelling ? "spelling" : "contexts", word.margin_nats, word.count,
                                word.contexts, examples[word.class_id]));
    }
    session.say(fmt::format("{} new words: {} by contexts, {} by spelling; {} words of the text were known",
                            assignment.words.size(), assignment.words.size() - spelled, spelled,
                            counts.vocabulary().size() - assignment.words.size()));
  }

 private:
  std::string model_;
  std::vector<std::string> inputs_;
  std::string folder_;
  CountOptions counting_;
  AssignOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_assign_command() {
  return std::make_unique<AssignCommand>();
}

}  // namespace firth::cli
