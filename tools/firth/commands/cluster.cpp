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
#include <firth/world.hpp>
#include <optional>

#include "commands/choose.hpp"
#include "commands/cluster_methods.hpp"
#include "commands/cluster_vectors.hpp"
#include "commands/commands.hpp"
#include "commands/estimate_text.hpp"
#include "commands/preview.hpp"
#include "commands/result_files.hpp"
#include "interrupt.hpp"
#include "shared_options.hpp"
#include "standard_streams.hpp"

namespace firth::cli {
namespace {

constexpr const char* kClusterDescription =
    "Finds classes of words that have similar neighbours, and a hierarchy of the classes. Reads text, or a count file of 'firth count', and writes a folder: paths (bit strings, wcluster's format), classes.tsv (word and class), merges.tsv (the tree, for any smaller number of classes), bigrams.tsv (how often classes follow each other, for 'firth assign'), preprocessing.txt (how the text was read) and run.json (what was done). With --vectors, clusters anything that has a vector, and writes the means of the classes instead of bigrams.tsv.";

enum class Preset { none, wcluster, mkcls };

/// Large because it has one function per step of the main job, all of them short.
class ClusterCommand : public Command {
 public:
  std::string name() const override { return "cluster"; }
  std::string summary() const override { return "finds classes of words and their hierarchy: the main job"; }
  std::string description() const override { return kClusterDescription; }

  std::vector<Example> examples() const override {
    return {
        {"firth cluster text.txt -c 500 -o out",
         "500 classes of the words in text.txt, into the folder out."},
        {"firth cluster corpus/ --lowercase --min-count 3 -c 1000 -o out",
         "All files below corpus/, in lower case; words seen once or twice become <unk>."},
        {"firth cluster text.counts -c 200 -o out --method brown", "Exact Brown clustering of counted text."},
        {"firth cluster text.txt -c auto -o out", "As many classes as predict held-out lines best."},
        {"firth cluster --vectors glove.6B.300d.txt -c 1000 -o out",
         "A hierarchy over the vectors of any tool, by Ward's criterion."},
        {"zcat news.gz | firth cluster - --tokenize -c 100 -o out", "Raw text from a pipe."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options_ = &options;
    options.positionals("TEXT", inputs_, "Text or count files, folders, or - for standard input.", false);
    options.group("Clustering");
    options.number_or<ClassId>(
        "-c,--classes", "K", classes_, {1, 1u << 30}, {"auto", 0},
        "Number of classes; auto = as many as predict held-out lines best (firth choose).");
    options.require_last();
    options.text("-o,--output", "DIR", folder_, "Output folder; created if it does not exist.");
    options.writes_folder();
    options.require_last();
    vectors_.declare_input(options);
    declare_method_choice(options);
    options.choice(
        "--preset", preset_,
        {{"none", Preset::none}, {"wcluster", Preset::wcluster}, {"mkcls", Preset::mkcls}},
        "wcluster = cluster as wcluster does: --method brown --marginals unigram --stream --rare break --min-count 1, unless you give other values; mkcls = line ends are neighbours and every word has a class, as in mkcls: --boundaries --min-count 1. Neither makes a word <unk>.");
    options.text(
        "--mkcls", "FILE", mkcls_,
        "Also write the classes for GIZA++, as mkcls does: numbered from 2 into FILE, and the words of "
        "each class into FILE.cats.");
    options.writes_file();
    options.flag("--force", force_, "Replace classes in the folder even if Firth did not write them.");
    options.flag("--dry-run", dry_run_, "Say how much memory and time this will take, and stop.");
    declare_text_options(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary, &min_count_);
    for (const auto& method : methods_) {
      options.group(group_of(method));
      method.options->declare(options);
    }
    vectors_.declare(options);
    session.declare(options, {.threads = true, .seed = true, .memory = true, .json = true, .text = true});
  }

  std::string why_not_on_ranks() const override {
    const std::string& method = methods_[chosen_].name;
    if (method == "auto" || method == "exchange" || method == "spectral") return "";
    return fmt::format("--method {} does not run on several ranks", method);
  }

  void run(Session& session) override {
    if (vectors_.chosen()) return run_vectors(session);
    if (inputs_.empty() && is_input_piped()) inputs_ = {"-"};
    if (inputs_.empty() && session.is_root())  // only rank 0 has a standard input
      throw UsageError("TEXT is required", "name a text, - for standard input, or --vectors FILE");
    const auto started = std::chrono::steady_clock::now();
    if (preset_ == Preset::wcluster) imitate_wcluster();
    if (preset_ == Preset::mkcls) imitate_mkcls();
    require_text_method();
    const NamedMethod& method = methods_[chosen_];
    refuse_foreign_options(method);
    refuse_sharded_lists(method, session);
    if (min_count_.given == 0 && keeps_rare_words(method)) min_count_.given = 1;
    counting_.distances = required_distances(method.options->method());
    if (classes_ == 0) counting_.held_out_share = ChooseOptions{}.held_out;
    if (session.is_root())
      files_ = expand_folders(session.text(inputs_));  // before there is output that could be among them
    if (dry_run_) return print_estimate(method, session);
    const auto options = values_with_preset();
    wait_for_result_when_interrupted();
    OutputTransaction outputs;
    if (session.is_root()) outputs.claim_folder(folder_, is_result_file);
    const Counts counts = cli::read_counts(files_, counting_, min_count_, session);
    std::optional<ClassChoice> choice;
    if (classes_ == 0) {
      choice = choose_classes(counts, {}, session.run());
      classes_ = choice->classes;
      session.say(choice_text(*choice));
    }
    announce(counts, method, session);
    ClusterResult result = method.options->run(counts, classes_, session, folder_);
    if (choice) keep_curve(*choice, result);
    if (session.is_root()) {
      save_clustering(folder_, result.clustering, ClusterFormat::firth);
      if (!mkcls_.empty()) save_mkcls(mkcls_, result.clustering);
      save_run_record(folder_ + "/run.json", record(counts, result, options, session));
      outputs.commit();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    session.report(figures(counts, result, seconds),
                   fmt::format("{} of {}, AMI {:.4f} bits, {:.1f} s -> {}",
                               counted(result.clustering.class_count(), "class", "classes"),
                               counted(result.clustering.word_count(), "word", "words"), result.ami_bits,
                               seconds, folder_));
    if (result.free_ami_bits) {
      session.say(fmt::format("limited sizes: {:.4f} bits of AMI lost ({:.4f} without limits)",
                              *result.free_ami_bits - result.ami_bits, *result.free_ami_bits));
    }
    session.say(preview(result.clustering));
    if (!result.complete) report_early_end(session);
  }

 private:
  void run_vectors(Session& session) {
    vectors_.refuse_text_options(*options_);
    if (chosen_ < methods_.size() && given("--method")) {
      throw UsageError(fmt::format("--method {} is for texts", methods_[chosen_].name),
                       "with --vectors, use ward, divide or kmeans");
    }
    const VectorJob job{chosen_ < methods_.size() ? 0 : chosen_ - methods_.size(), classes_, folder_};
    if (dry_run_) return vectors_.print_estimate(job, session);
    vectors_.run(job, *options_, session);
  }

  void require_text_method() const {
    if (chosen_ >= methods_.size()) {
      throw UsageError(
          fmt::format("--method {} is for --vectors", vector_methods()[chosen_ - methods_.size()].first),
          "give vectors, or leave it out");
    }
    const std::vector<std::string> given = options_->given_in_group(kVectorGroup);
    if (!given.empty()) {
      throw UsageError(fmt::format("{} has no effect without --vectors", fmt::join(given, ", ")),
                       "leave it out");
    }
  }

  bool given(std::string_view name) const {
    return std::any_of(options_->infos().begin(), options_->infos().end(),
                       [&](const OptionInfo& info) { return info.names == name && info.given(); });
  }

  /// All words, and line ends as neighbours: the limits of sentences are a class of mkcls.
  void imitate_mkcls() {
    if (is_preset("--min-count", "1")) min_count_.given = 1;
    if (given("--stream")) return;
    shared_->search.boundaries = true;  // methods without that option do not look at it
    preset_values_.emplace_back("--boundaries", "true");
  }

  /// What wcluster does with the same text; options that were given stay.
  void imitate_wcluster() {
    if (is_preset("--method", "brown"))
      chosen_ = static_cast<std::size_t>(std::find_if(methods_.begin(), methods_.end(),
                                                      [](const auto& one) { return one.name == "brown"; }) -
                                         methods_.begin());
    if (!given("--lines")) {
      counting_.text.boundaries = TextBoundaries::stream;
      preset_values_.emplace_back("--stream", "true");
    }
    if (is_preset("--rare", "break")) counting_.vocabulary.rare = RarePolicy::no_pairs;
    if (is_preset("--min-count", "1")) min_count_.given = 1;
    if (methods_[chosen_].name == "brown" && is_preset("--marginals", "unigram"))
      methods_[chosen_].options->imitate_wcluster();
  }

  /// Whether the option takes this value from the preset, since none was given.
  bool is_preset(const std::string& name, const std::string& value) {
    if (given(name)) return false;
    preset_values_.emplace_back(name, value);
    return true;
  }

  /// The values of all options, also those that come from the preset.
  std::vector<std::pair<std::string, std::string>> values_with_preset() const {
    auto values = options_->values();
    for (const auto& preset : preset_values_) {
      const auto old = std::find_if(values.begin(), values.end(),
                                    [&](const auto& value) { return value.first == preset.first; });
      if (old == values.end())
        values.push_back(preset);
      else
        old->second = preset.second;
    }
    return values;
  }

  void announce(const Counts& counts, const NamedMethod& method, Session& session) const {
    if (session.ranks() > 1) return;                    // the estimate is that of one process
    if (classes_ > counts.vocabulary().size()) return;  // about to be refused
    ClusterMethod options = method.options->method();
    set_classes(options, classes_);
    if (const std::string text = long_run_text(counts, options, session.run().threads); !text.empty())
      session.say(text);
  }

  void print_estimate(const NamedMethod& method, Session& session) {
    if (classes_ == 0) {
      throw UsageError("--dry-run needs a number of classes",
                       "give -c K, or let 'firth choose' find the number first");
    }
    const Counts counts = cli::read_counts(files_, counting_, min_count_, session);
    ClusterMethod options = method.options->method();
    set_classes(options, classes_);
    const unsigned shards = shards_lists(session) ? session.ranks() : 1;
    const auto estimate = estimate_clustering(counts, options, shards, session.run().threads);
    if (session.json()) return session.report(estimate_figures(counts, method, estimate), "");
    session.print(fmt::format(
        "{} classes of {} words with --method {}: {}{}\n", grouped(classes_),
        grouped(counts.vocabulary().size()), method.name,
        estimate ? estimate_text(*estimate) : "no estimate for this method",
        shards > 1
            ? fmt::format("; the memory is that of each of {} ranks, besides the counts of rank 0", shards)
            : ""));
  }

  Figures estimate_figures(const Counts& counts, const NamedMethod& method,
                           const std::optional<ClusterEstimate>& estimate) const {
    Figures figures = {{"classes", static_cast<double>(classes_)},
                       {"words", static_cast<double>(counts.vocabulary().size())},
                       {"method", method.name}};
    if (!estimate) return figures;
    figures.emplace_back("memory_bytes", static_cast<double>(estimate->memory_bytes));
    figures.emplace_back("cpu_seconds", estimate->cpu_seconds);
    return figures;
  }

  static bool shards_lists(const Session& session) {
    return session.ranks() > 1 && session.run().world->shards_lists();
  }

  /// Whatever needs all pairs on every rank.
  void refuse_sharded_lists(const NamedMethod& method, const Session& session) const {
    if (!shards_lists(session)) return;
    if (method.name != "auto" && method.name != "exchange")
      throw UsageError(fmt::format("--shard-lists has no effect with --method {}", method.name),
                       "leave it out");
    if (classes_ == 0)
      throw UsageError("'-c auto' needs all pairs on every rank, --shard-lists leaves them on rank 0",
                       "let 'firth choose' say how many classes, or leave --shard-lists out");
  }

  /// Classes are written, but not those of a whole search. Throws after Ctrl-C.
  static void report_early_end(Session& session) {
    const bool interrupted = session.is_interrupted();
    session.say(fmt::format("{}: these are the best classes found so far",
                            interrupted ? "interrupted" : "time is up"));
    if (interrupted) throw InterruptedWithResult{};
  }

  /// Methods that are about all words of a text, as a tagger is.
  static bool keeps_rare_words(const NamedMethod& method) {
    return method.name == "pos" || method.name == "svd2";
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
    for (const auto& [name, summary] : vector_methods()) {
      help += fmt::format("; {} = {}", name, summary);
      names.push_back(name);
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

  Figures figures(const Counts& counts, const ClusterResult& result, double seconds) const {
    return {{"folder", folder_},
            {"classes", static_cast<double>(result.clustering.class_count())},
            {"words", static_cast<double>(result.clustering.word_count())},
            {"tokens", static_cast<double>(counts.info().tokens)},
            {"min_count", static_cast<double>(counting_.vocabulary.min_count)},
            {"ami_bits", result.ami_bits},
            {"seconds", seconds}};
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
                      {"min_count", static_cast<double>(counting_.vocabulary.min_count)},
                      {"classes", static_cast<double>(result.clustering.class_count())},
                      {"ami_bits", result.ami_bits},
                      {"complete", result.complete ? 1.0 : 0.0}};
    if (result.free_ami_bits) record.figures.emplace_back("free_ami_bits", *result.free_ami_bits);
    record.stages = session.stages();
    record.iterations = result.iterations;
    record.series = result.series;
    return record;
  }

  std::shared_ptr<SharedSettings> shared_ = std::make_shared<SharedSettings>();
  std::vector<NamedMethod> methods_ = all_cluster_methods(shared_);
  VectorClustering vectors_{shared_};
  std::vector<std::string> inputs_;
  Inputs files_;
  std::string folder_;
  std::string mkcls_;
  CountOptions counting_;
  MinCount min_count_;
  Preset preset_ = Preset::none;
  std::vector<std::pair<std::string, std::string>> preset_values_;  ///< options as the preset has them
  ClassId classes_ = 0;
  std::size_t chosen_ = 0;
  bool dry_run_ = false;
  bool force_ = false;
  const OptionTable* options_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_cluster_command() {
  return std::make_unique<ClusterCommand>();
}

}  // namespace firth::cli
