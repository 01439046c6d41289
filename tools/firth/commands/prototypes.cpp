#include <fmt/format.h>

#include <firth/error.hpp>
#include <firth/prototypes.hpp>

#include "commands/commands.hpp"
#include "model_text.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class PrototypesCommand final : public Command {
 public:
  std::string name() const override { return "prototypes"; }
  std::string summary() const override { return "lists one word of each class, to be tagged by hand"; }
  std::string description() const override {
    return "Writes the most frequent word of every class, with some places where it occurs in the text; classes with most tokens come first. Write a tag in place of each ?, as far down the list as you like; 'firth tag apply' then tags text with them. With a few hundred tagged words, you can tag a language that has no tagged text (Lamar et al. 2010).";
  }
  std::vector<Example> examples() const override {
    return {{"firth prototypes out text.txt -o to-tag.tsv", "the list; edit its second column"},
            {"firth tag apply to-tag.tsv out text.txt > tagged.txt", "tag text with it"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("CLASSES", classes_, "Classes of words, in any format.");
    options.positionals("TEXT", inputs_, "Files or folders of text; - is standard input.");
    options.text("-o,--output", "FILE", output_, "Output file.");
    options.writes_file();
    options.require_last();
    options.number<std::uint32_t>("--places", "N", options_.contexts, {0, 100},
                                  "Number of places to show for each word.");
    options.number<std::uint32_t>("--width", "N", options_.width, {0, 100},
                                  "Number of words to show on each side.");
    model_text_.declare(options, options_.text);
    session.declare(options, {.threads = false, .json = true, .text = true, .spools = true});
  }

  void run(Session& session) override {
    const Clustering classes = load_clustering(classes_, ClusterFormat::automatic, session.run());
    model_text_.follow(classes.preprocessing(), classes_, inputs_, session, FollowWhat::words);
    const auto prototypes = choose_prototypes(classes, session.text(inputs_), options_, session.run());
    save_prototypes(output_, prototypes);
    session.report({{"words", static_cast<double>(prototypes.size())}},
                   fmt::format("{}: {} words to tag", output_, grouped(prototypes.size())));
  }

 private:
  std::string classes_;
  std::vector<std::string> inputs_;
  std::string output_;
  PrototypeOptions options_;
  ModelText model_text_;
};

class TagApplyCommand final : public Command {
 public:
  std::string name() const override { return "tag apply"; }
  std::string summary() const override { return "tags text with a hand-tagged list of prototypes"; }
  std::string description() const override {
    return "Gives every word the tag of the prototype of its class: LIST is what 'firth prototypes' wrote, with tags "
           "filled in. Words without a class get the class that fits their spelling; words of classes without a tag "
           "get the one of --no-tag. Prints a word and its tag per line, and an empty line after each sentence.";
  }
  std::vector<Example> examples() const override {
    return {{"firth tag apply to-tag.tsv out text.txt > tagged.txt", "tag text with the filled-in list"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("LIST", list_, "A list that firth prototypes wrote, with tags filled in.");
    options.positional("CLASSES", classes_, "The classes that the list was made for.");
    options.positionals("TEXT", inputs_, "Files or folders to tag; - is standard input.");
    options.text("--no-tag", "TAG", no_tag_, "Tag of words whose class has none.");
    model_text_.declare(options, text_);
    session.declare(options, {.threads = false, .text = true});
  }

  void run(Session& session) override {
    Count tokens = 0;
    Count untagged = 0;
    const Clustering classes = load_clustering(classes_, ClusterFormat::automatic, session.run());
    model_text_.follow(classes.preprocessing(), classes_, inputs_, session, FollowWhat::words);
    const PrototypeTagger tagger = load_tagger(classes, session.run());
    tagger.tag(
        session.text(inputs_), text_,
        [&](std::span<const std::string_view> words, std::span<const std::string_view> tags) {
          std::string lines;
          for (std::size_t i = 0; i < words.size(); ++i) {
            lines += fmt::format("{}\t{}\n", words[i], tags[i].empty() ? std::string_view(no_tag_) : tags[i]);
            untagged += tags[i].empty();
          }
          tokens += words.size();
          session.print(lines + "\n");
        },
        session.run());
    session.say(
        fmt::format("{} words tagged, {} without a tag", grouped(tokens - untagged), grouped(untagged)));
  }

 private:
  /// What is wrong with a prototype is said of its file.
  PrototypeTagger load_tagger(const Clustering& classes, const RunOptions& run) const {
    const std::vector<Prototype> prototypes = load_prototypes(list_, run);
    try {
      return {classes, prototypes};
    } catch (const UsageError& error) {
      throw InputError({list_ == "-" ? "standard input" : list_}, error.what());
    }
  }

  std::string list_;
  std::string classes_;
  std::vector<std::string> inputs_;
  std::string no_tag_ = "?";
  TextOptions text_;
  ModelText model_text_;
};

}  // namespace

std::unique_ptr<Command> make_prototypes_command() {
  return std::make_unique<PrototypesCommand>();
}

std::unique_ptr<Command> make_tag_apply_command() {
  return std::make_unique<TagApplyCommand>();
}

}  // namespace firth::cli
