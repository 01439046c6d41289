#include <fmt/format.h>
#include <firth/count.hpp>
#include <firth/error.hpp>

#include "commands/commands.hpp"
#include "commands/estimate_text.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

std::string summary_of(const Counts& counts) {
  std::string text = fmt::format("{}, {} different", counted(counts.info().tokens, "word", "words"),
                                 grouped(counts.vocabulary().size()));
  for (const int distance : counts.distances()) {
    const PairCounts& pairs = counts.pairs_at(distance);
    const bool adjacent = distance == 1;
    text += "; " + counted(pairs.total(), adjacent ? "bigram" : "pair", adjacent ? "bigrams" : "pairs");
    if (!adjacent) text += fmt::format(" at distance {}", distance);
    text += fmt::format(", {} different", grouped(pairs.distinct()));
  }
  return text;
}

class CountCommand final : public Command {
 public:
  std::string name() const override { return "count"; }
  std::string summary() const override { return "counts words and pairs of words, for later runs"; }
  std::string description() const override {
    return "Reads text once and writes a count file: the vocabulary, and the counts of words and of pairs of words. The commands that make, score and show classes take such a file in place of text. The file is the same, byte for byte, for any --threads, any --memory and any order of the inputs. With --merge, the inputs are count files and their sum is written, so a corpus can be counted in parts on many machines. The parts must have the same text options, and no vocabulary options.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth count text.txt -o text.counts", "count a text with one sentence per line"},
        {"zcat news.gz | firth count - --lowercase -o news.counts", "read standard input"},
        {"firth count corpus/ --min-count 5 --memory 4G -o corpus.counts",
         "every file of a folder, words seen 5 times"},
        {"firth count --merge part1.counts part2.counts -o all.counts", "add up what was counted separately"},
    };
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TEXT", inputs_,
                        "Files, folders, or - for standard input; with --merge count files.");
    options.text("-o,--output", "FILE", output_, "The count file to write.");
    options.writes_model();
    options.require_last();
    options.flag("--merge", merge_, "The inputs are count files: write their sum.");
    options.numbers<int>(
        "--distances", "LIST", options_.distances, {1, 5},
        "Distances of the pairs to count; 1 = direct neighbours. Spectral methods with wider "
        "contexts need more, e.g. 1,2.");
    options.field_of_last("CountOptions::distances");
    declare_text_options(options, options_.text);
    declare_vocabulary_options(options, options_.vocabulary);
    session.declare(options, {.memory = true, .json = true, .text = true});
  }

  std::string why_not_on_ranks() const override {
    return merge_ ? "'count --merge' does not run on several ranks" : "";
  }

  void run(Session& session) override {
    const Counts counts =
        merge_ ? restrict_vocabulary(merge_counts(inputs_, session.run()), options_.vocabulary, session.run())
               : count_text(session.text(inputs_), options_, session.run());
    if (!session.is_root()) return;
    save_counts(output_, counts);
    session.report({{"file", output_},
                    {"tokens", static_cast<double>(counts.info().tokens)},
                    {"words", static_cast<double>(counts.vocabulary().size())},
                    {"sequences", static_cast<double>(counts.info().sequences)}},
                   fmt::format("{}: {}", output_, summary_of(counts)));
    say_estimates(counts, session);
  }

 private:
  /// What clustering will need; small texts take no time worth mentioning.
  static void say_estimates(const Counts& counts, Session& session) {
    if (counts.distances().front() != 1) return;
    const std::string table = estimate_table(counts);
    if (!table.empty()) session.say(table);
  }

  std::vector<std::string> inputs_;
  std::string output_;
  bool merge_ = false;
  CountOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_count_command() {
  return std::make_unique<CountCommand>();
}

}  // namespace firth::cli
