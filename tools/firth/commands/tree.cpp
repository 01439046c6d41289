// firth tree: a hierarchy over flat classes.
#include <fmt/format.h>

#include <firth/build_tree.hpp>
#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/evaluate.hpp>

#include "commands/commands.hpp"
#include "commands/result_files.hpp"
#include "model_text.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class TreeCommand : public Command {
 public:
  std::string name() const override { return "tree"; }
  std::string summary() const override { return "adds a hierarchy to any flat classes"; }
  std::string description() const override {
    return "Reads classes of words in any format and the text they belong to, and merges the classes one pair at a time, always the pair that costs the least average mutual information (exact greedy Brown merges). Writes paths, classes.tsv and merges.tsv. Words of the classes that are not in the text, and words of the text without a class, are left out.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth tree classes.tsv text.txt -o out", "Bit strings for classes that mkcls made from text.txt."},
        {"firth tree out text.counts -o again", "Build the tree of a folder of firth cluster again."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("CLASSES", classes_, "A file of classes, or a folder that firth cluster wrote.");
    options.positionals("TEXT", inputs_, "Text or count files, folders, or - for standard input.");
    options.group("Output");
    options.text("-o,--output", "DIR", folder_, "Output folder; created if it does not exist.");
    options.writes_folder();
    options.require_last();
    options.flag("--force", force_, "Replace classes in the folder even if Firth did not write them.");
    model_text_.declare(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary);
    session.declare(options, {.threads = true, .seed = false, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    const Clustering flat = load_clustering(classes_, ClusterFormat::automatic, session.run());
    model_text_.follow(flat.preprocessing(), classes_, inputs_, session);
    const Counts counts = read_counts(session.text(inputs_), counting_, session.run());
    std::vector<ClassId> classes = classes_for(counts.vocabulary(), flat);
    std::vector<std::pair<std::string, Count>> words;
    for (WordId word = 0; word < classes.size(); ++word) {
      if (classes[word] != kNoClass)
        words.emplace_back(counts.vocabulary().word(word), counts.vocabulary().count(word));
    }
    if (words.empty())
      throw UsageError("no word of the text has a class", "give the text that the classes belong to");
    const ClassId found = number_without_gaps(classes, flat.class_count());
    const MergeTree tree = build_tree(counts, classes, session.run());
    std::erase(classes, kNoClass);
    Clustering result(Vocabulary::from_words(std::move(words)), classes, tree);
    result.learn_class_bigrams(counts);
    save_result(folder_, result);
    const double ami = average_mutual_information(counts, classes_for(counts.vocabulary(), result));
    session.report(
        {{"folder", folder_},
         {"classes", static_cast<double>(found)},
         {"words", static_cast<double>(result.word_count())},
         {"ami_bits", ami}},
        fmt::format("a tree over {} of {}, AMI {:.4f} bits -> {}", counted(found, "class", "classes"),
                    counted(result.word_count(), "word", "words"), ami, folder_));
  }

 private:
  /// Classes that no word of the text has disappear.
  static ClassId number_without_gaps(std::vector<ClassId>& classes, ClassId count) {
    std::vector<ClassId> number(count, kNoClass);
    ClassId found = 0;
    for (ClassId& c : classes) {
      if (c == kNoClass) continue;
      if (number[c] == kNoClass) number[c] = found++;
      c = number[c];
    }
    return found;
  }

  std::string classes_;
  std::vector<std::string> inputs_;
  std::string folder_;
  CountOptions counting_;
  ModelText model_text_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_tree_command() {
  return std::make_unique<TreeCommand>();
}

}  // namespace firth::cli
