// firth cluster: text in, classes out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <firth/choose.hpp>
#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <firth/run_record.hpp>
#include <optional>

#include "commands/choose.hpp"
#include "commands/cluster_method.hpp"
#include "commands/commands.hpp"
#include "commands/estimate_text.hpp"
#include "commands/preview.hpp"
#include "commands/result_files.hpp"
#include "interrupt.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

constexpr const char* kDescription =
    "Finds classes of words that keep similar company, and a hierarchy of the classes. Reads text, or a count file of 'firth count', and writes into a folder: paths (bit strings, wcluster's format), classes.tsv (word and class), merges.tsv (the tree, for any other number of classes), bigrams.tsv (how often classes follow each other, for 'firth assign') and run.json (what was done).";

/// Large because it has one function per step of the main job, all of them short.
class ClusterCommand : public Command {
 public:
  std::string name() const override { return "cluster"; }
  std::string summary() const override { return "the main job: classes of words and their hierarchy"; }
  std::string description() const override { return kDescription; }

  std::vector<Example> examples() const override {
    return {
        {"firth cluster text.txt -c 500 -o out",
         "500 classes of the words in text.txt, into the folder out."},
        {"firth cluster corpus/ --lowercase --min-count 3 -c 1000 -o out",
         "All files below corpus/, in lower case; words seen once or twice become <unk>."},
        {"firth cluster text.counts -c 200 -o out --method brown", "Exact Brown clustering of counted text."},
        {"firth cluster text.txt -c auto -o out", "As many classes as the text is worth."},
        {"zcat news.gz | firth cluster - --tokenize -c 100 -o out", "Raw text from a pipe."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options_ = &options;
    options.positionals("TEXT", inputs_, "Text or count files, folders, or - for standard input.");
    options.group("Clustering");
    options.number_or<ClassId>(
        "-c,--classes", "K", classes_, {1, 1u << 30}, {"auto", 0},
        "Number of classes; auto = as many as predict held-out pairs best (firth choose).");
    options.require_last();
    options.text("-o,--output", "DIR", folder_, "Output folder; created if it does not exist.");
    options.writes_folder();
    options.require_last();
    declare_method_choice(options);
    options.flag("--dry-run", dry_run_, "Say how much memory and time this will take, and stop.");
    declare_text_options(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary);
    for (const auto& method : methods_) {
      options.group(group_of(method));
      method.options->declare(options);
    }
    session.declare(options, {.threads = true, .seed = true, .memory = true});
  }

  void run(Session& session) override {
    const auto started = std::chrono::steady_clock::now();
    const NamedMethod& method = methods_[chosen_];
    refuse_foreign_options(method);
    counting_.distances = required_distances(method.options->method());
    files_ = expand_folders(inputs_);  // before there is output that could be among them
    if (dry_run_) return print_estimate(method, session);
    const auto options = options_->values();
    wait_for_result_when_interrupted();
    OutputTransaction outputs;
    outputs.claim_folder(folder_, is_result_file);
    const Counts counts = read_counts(files_, counting_, session.run());
    std::optional<ClassChoice> choice;
    if (classes_ == 0) {
      choice = choose_classes(counts, {}, session.run());
      classes_ = choice->classes;
      session.say(choice_text(*choice));
    }
    ClusterResult result = method.options->run(counts, classes_, session, folder_);
    if (choice) keep_curve(*choice, result);
    save_clustering(folder_, result.clustering, ClusterFormat::firth);
    save_run_record(folder_ + "/run.json", record(counts, result, options, session));
    outputs.commit();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    session.say(fmt::format("{} classes of {} words, AMI {:.4f} bits, {:.1f} s -> {}",
                            grouped(result.clustering.class_count()), grouped(result.clustering.word_count()),
                            result.ami_bits, seconds, folder_));
    session.say(preview(result.clustering));
    if (!result.complete) report_early_end(session);
  }

 private:
  void print_estimate(const NamedMethod& method, Session& session) const {
    const Counts counts = read_counts(files_, counting_, session.run());
    ClusterMethod options = method.options->method();
    set_classes(options, classes_);
    const auto estimate = estimate_clustering(counts, options);
    session.print(fmt::format("{} classes of {} words with --method {}: {}\n", grouped(classes_),
                              grouped(counts.vocabulary().size()), method.name,
                              estimate ? estimate_text(*estimate) : "no estimate for this method"));
  }

  /// Classes are written, but not those of a whole search. Throws Cancelled after Ctrl-C.
  static void report_early_end(Session& session) {
    const bool interrupted = session.run().stop.stop_requested();
    session.say(fmt::format("{}: these are the best classes found so far",
                            interrupted ? "interrupted" : "time is up"));
    session.run().check_stop();
  }

  static std::string group_of(const NamedMethod& method) {
    return fmt::format("Only for --method {}", method.name);
  }

  static std::vector<std::string> groups_of(const NamedMethod& method) {
    std::vector<std::string> groups = method.options->shared_groups();
    groups.push_back(group_of(method));
    return groups;
  }

  void declare_method_choice(OptionTable& options) {
    std::string help = "How to cluster:";
    std::vector<std::string> names;
    for (const auto& method : methods_) {
      help += fmt::format("{} {} = {}", names.empty() ? "" : ";", method.name, method.summary);
      names.push_back(method.name);
    }
    options.one_of("--method", chosen_, names, help + ".");
  }

  /// An option of another method would do nothing: say so instead.
  void refuse_foreign_options(const NamedMethod& chosen) const {
    const std::vector<std::string> own = groups_of(chosen);
    for (const auto& method : methods_) {
      for (const std::string& group : groups_of(method)) {
        const std::vector<std::string> given = options_->given_in_group(group);
        if (given.empty() || std::find(own.begin(), own.end(), group) != own.end()) continue;
        throw UsageError(
            fmt::format("{} has no effect with --method {}", fmt::join(given, ", "), chosen.name),
            fmt::format("leave it out, or use --method {}", method.name));
      }
    }
  }

  /// The curve goes into run.json, and from there into the page.
  static void keep_curve(const ClassChoice& choice, ClusterResult& result) {
    std::vector<double> classes;
    std::vector<double> perplexities;
    for (const ChoicePoint& point : choice.cuts) {
      classes.push_back(point.classes);
      perplexities.push_back(point.perplexity);
    }
    result.series.emplace_back("choose_classes", std::move(classes));
    result.series.emplace_back("choose_perplexity", std::move(perplexities));
  }

  RunRecord record(const Counts& counts, const ClusterResult& result,
                   std::vector<std::pair<std::string, std::string>> options, const Session& session) const {
    RunRecord record;
    record.command = "cluster";
    record.options = std::move(options);
    record.inputs = describe_inputs(files_);
    record.figures = {{"tokens", static_cast<double>(counts.info().tokens)},
                      {"words", static_cast<double>(counts.vocabulary().size())},
                      {"bigrams", static_cast<double>(counts.bigrams().total())},
                      {"distinct_bigrams", static_cast<double>(counts.bigrams().distinct())},
                      {"classes", static_cast<double>(result.clustering.class_count())},
                      {"ami_bits", result.ami_bits},
                      {"complete", result.complete ? 1.0 : 0.0}};
    record.stages = session.stages();
    record.iterations = result.iterations;
    record.series = result.series;
    return record;
  }

  std::vector<NamedMethod> methods_ = all_cluster_methods();
  std::vector<std::string> inputs_;
  Inputs files_;
  std::string folder_;
  CountOptions counting_;
  ClassId classes_ = 0;
  std::size_t chosen_ = 0;
  bool dry_run_ = false;
  const OptionTable* options_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_cluster_command() {
  return std::make_unique<ClusterCommand>();
}

}  // namespace firth::cli
