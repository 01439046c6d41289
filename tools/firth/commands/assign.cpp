// firth assign: classes for words that were not clustered.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <firth/assign.hpp>
#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <limits>

#include "commands/commands.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class AssignCommand : public Command {
 public:
  std::string name() const override { return "assign"; }
  std::string summary() const override { return "classes for words that were not clustered"; }
  std::string description() const override {
    return "Gives every word of TEXT that the model does not have the class that fits its contexts best: the "
           "one "
           "where it would add most average mutual information, the classes staying as they are. Words with "
           "too "
           "few contexts go by their spelling (beginning, ending, shape, digits). With -o, writes the model "
           "with "
           "the new words in it (paths, classes.tsv, merges.tsv). Prints, for every new word, tab-separated: "
           "word, "
           "class, what decided (contexts or spelling), margin in nats over the second best class, its count "
           "and "
           "its contexts. Margins below about 2 are guesses.";
  }
  std::vector<Example> examples() const override {
    return {{"firth assign --model out new.txt -o more", "The classes in out, and the new words of new.txt."},
            {"firth assign --model out old.txt new.txt > table.tsv",
             "With the text that the model was made from, contexts are scored with more counts."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TEXT", inputs_, "Text or count files, folders, or - for standard input.");
    options.group("Assignment");
    options.text("--model", "DIR", model_,
                 "A folder that firth cluster wrote, or classes in any other format.");
    options.require_last();
    options.text("-o,--output", "DIR", folder_, "Folder for the model with the new words.");
    options.number<Count>("--min-contexts", "N", options_.min_contexts,
                          {0, std::numeric_limits<Count>::max()},
                          "Words with fewer neighbours that have a class go by their spelling.");
    declare_text_options(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary);
    session.declare(options, {.threads = true, .seed = false, .memory = true});
  }

  void run(Session& session) override {
    const Clustering model = load_clustering(model_);
    const Counts counts = read_counts(inputs_, counting_, session.run());
    const Assignment assignment = assign_words(model, counts, options_, session.run());
    if (!folder_.empty()) save_clustering(folder_, assignment.clustering, ClusterFormat::firth);
    std::size_t spelled = 0;
    for (const AssignedWord& word : assignment.words) {
      const bool spelling = word.by == AssignedBy::spelling;
      spelled += spelling ? 1 : 0;
      session.print(fmt::format("{}\t{}\t{}\t{:.3f}\t{}\t{}\n", word.word, word.class_id,
                                spelling ? "spelling" : "contexts", word.margin_nats, word.count,
                                word.contexts));
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
