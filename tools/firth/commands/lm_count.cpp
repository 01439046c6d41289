#include <fmt/format.h>

#include <firth/error.hpp>
#include <firth/lm_counts.hpp>

#include "commands/commands.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class LmCountCommand final : public Command {
 public:
  std::string name() const override { return "lm count"; }
  std::string summary() const override { return "counts the n-grams of a text, to train models later"; }
  std::string description() const override {
    return "Writes one file with the words of a text and its n-grams. `firth lm train --from-counts` takes one or more such files in place of the text, so a corpus can be counted in parts on many machines. All words are counted; classes, vocabulary and smoothing are chosen when a model is trained. The file is the same, byte for byte, for any --threads and --memory.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm count part1.txt -o part1.ngrams", "count the trigrams of a text"},
            {"firth lm count part2.txt --order 5 --memory 4G -o part2.ngrams",
             "up to five words; what does not fit the memory goes to disk"},
            {"firth lm count --merge part1.ngrams part2.ngrams -o all.ngrams",
             "add up what was counted separately"}};
  }

  void declare(OptionTable& options, Session& session) override {
    table_ = &options;
    options.positionals("TEXT", inputs_,
                        "Files, folders, or - for standard input; with --merge files of n-grams.");
    options.text("-o,--output", "FILE", output_, "The file of n-grams to write.");
    options.writes_model();
    options.require_last();
    options.flag("--merge", merge_, "The inputs are files of n-grams: write their sum.");
    options.group("N-grams");
    options.number<int>(
        "--order", "N", options_.order, {1, 6},
        "Length of the n-grams: the highest order of models that can be trained from the file.");
    options.field_of_last("LmCountOptions::order");
    options.flag("--no-boundaries", no_boundaries_,
                 "No <s> and </s>: the first word of a line is context only (order 1 or 2).");
    options.field_of_last("LmCountOptions::boundaries");
    declare_text_options(options, options_.text);
    session.declare(options, {.memory = true, .json = true, .text = true});
  }

  std::string why_not_on_ranks() const override {
    return merge_ ? "'lm count --merge' does not run on several ranks" : "";
  }

  void run(Session& session) override {
    options_.boundaries = !no_boundaries_;
    const LmCountsInfo info =
        merge_ ? merge(session) : count_ngrams(output_, session.text(inputs_), options_, session.run());
    if (!session.is_root()) return;
    session.report({{"file", output_},
                    {"order", static_cast<double>(info.order)},
                    {"tokens", static_cast<double>(info.tokens)},
                    {"sentences", static_cast<double>(info.sentences)},
                    {"words", static_cast<double>(info.words)},
                    {"ngrams", static_cast<double>(info.ngrams)}},
                   fmt::format("{}: {} words, {} different; {} different {}-grams", output_,
                               grouped(info.tokens), grouped(info.words), grouped(info.ngrams), info.order));
  }

 private:
  LmCountsInfo merge(Session& session) {
    std::vector<std::string> given = table_->given_in_group("Text");
    for (const std::string& name : table_->given_in_group("N-grams")) given.push_back(name);
    if (!given.empty()) {
      throw UsageError(fmt::format("{} and --merge contradict each other", given.front()),
                       "it is given when the text is counted");
    }
    return merge_lm_counts(output_, load_lm_counts(inputs_, session.run()), session.run());
  }

  const OptionTable* table_ = nullptr;
  std::vector<std::string> inputs_;
  std::string output_;
  bool merge_ = false;
  bool no_boundaries_ = false;
  LmCountOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_lm_count_command() {
  return std::make_unique<LmCountCommand>();
}

}  // namespace firth::cli
