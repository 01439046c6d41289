// firth compare: methods on a text, or clusterings that are there, in one table.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <firth/compare.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "commands/commands.hpp"
#include "commands/compare_runs.hpp"
#include "commands/compare_two.hpp"
#include "commands/terminal_text.hpp"
#include "model_text.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCompareDescription =
    "With --methods or --classes: clusters TEXT with every method and number of classes and prints one table: average mutual information, perplexity of held-out text, agreement with tags, stability over seeds, CPU seconds and memory. With -o, everything is kept in a folder, and a run that was stopped continues there. Without --methods and --classes: scores existing clusterings of any tool, and says how similar they are and which words moved. Each is scored on the text as its own text was read (--lowercase and the like). Words without a class count as one more class, so that all have the same pairs of words; the AMI of firth evaluate leaves them out.";

constexpr const char* kAllMethods = "auto,exchange,brown,spectral,svd2,pos";

enum class TableFormat { text, tsv, json };

/// What there is to score against.
struct Texts {
  Counts counts;
  std::optional<Counts> held_out;
  std::optional<GoldText> gold;
  bool has_counts = false;

  ComparisonTexts all() const {
    return {.text = has_counts ? &counts : nullptr,
            .held_out = held_out ? &*held_out : nullptr,
            .gold = gold ? &*gold : nullptr};
  }
};

/// Each way in which the texts were read.
using ReadTexts = std::vector<std::pair<Preprocessing, std::unique_ptr<Texts>>>;

/// Large because it has two uses: methods on a text, and clusterings that are there.
class CompareCommand : public Command {
 public:
  std::string name() const override { return "compare"; }
  std::string summary() const override { return "compares methods, or clusterings, in one table"; }
  std::string description() const override { return kCompareDescription; }

  std::vector<Example> examples() const override {
    return {
        {"firth compare text.txt --methods auto,brown --classes 100,500 -o table",
         "Two methods, two numbers of classes; all results are kept in the folder table."},
        {"firth compare text.txt --methods auto,pos --classes 45 --seeds 5 --held-out dev.txt --gold gold.conllu",
         "With held-out text, tags, and five seeds each."},
        {"firth compare text.txt --methods auto --classes 500 --also mkcls.classes",
         "Classes of another program as a row of the table."},
        {"firth compare out out2 --text text.txt",
         "Two clusterings: which is better, and how alike are they?"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options_ = &options;
    options.positionals(
        "TEXT|CLASSES", inputs_,
        "With --methods or --classes: text or count files. Without: folders or files of classes.");
    options.group("Methods on a text");
    options.text("--methods", "NAME,NAME...", methods_,
                 "Methods as in firth cluster; auto also as auto:fast, auto:high and auto:max.");
    options.numbers<ClassId>("-c,--classes", "K,K...", classes_, {1, 1U << 30}, "Numbers of classes.");
    options.number<std::uint32_t>(
        "--seeds", "N", seeds_, {1, 1000},
        "Number of runs of each method, with seeds counting up from --seed; brown has no random numbers and runs once.");
    options.texts("--also", "CLASSES", also_,
                  "Existing classes, of any tool, as a further row; may be given several times.");
    options.group("Scores");
    options.texts("--text", "TEXT", texts_, "For existing clusterings: the text to score against.");
    options.texts("--held-out", "TEXT", held_out_, "Another text: perplexity by class bigrams.");
    options.texts("--gold", "TAGGED", gold_, "A tagged text: many-to-1, 1-to-1, V-measure, VI.");
    options.choice("--tag", tag_, {{"upos", TagColumn::upos}, {"xpos", TagColumn::xpos}},
                   "The column of CoNLL-U that is the tag.");
    options.group("Output");
    options.text(
        "-o,--output", "DIR", folder_,
        "Folder for compare.md, compare.tsv, compare.json, compare.html and, with --methods, the clusterings. Existing results of the same text, options and version are used again.");
    options.writes_folder();
    options.choice("--to", format_,
                   {{"text", TableFormat::text}, {"tsv", TableFormat::tsv}, {"json", TableFormat::json}},
                   "What to print: a table of Markdown, with tabs, or JSON.");
    options.number<std::size_t>("--show", "N", show_, {0, 1'000'000},
                                "Number of words to list that moved, most frequent first.");
    model_text_.declare(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary);
    session.declare(options, {.threads = true, .seed = true, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    const bool makes = !methods_.empty() || !classes_.empty();
    check_options(makes);
    if (makes) {
      const std::vector<ComparedRow> rows = compare_methods(session);
      return write(rows, {}, session);
    }
    std::vector<NamedClustering> given;
    for (const std::string& path : inputs_)
      given.push_back({path, load_clustering(path, ClusterFormat::automatic, session.run())});
    const FollowWhat what = texts_.empty() ? FollowWhat::words : FollowWhat::all;
    const std::vector<TextOptions> readings = readings_of(given, what, session);
    std::vector<ComparedRow> rows;
    ReadTexts texts;
    for (std::size_t i = 0; i < given.size(); ++i)
      rows.push_back(row_of(given[i], texts_for(readings[i], texts_, texts, session), session));
    if (!texts_.empty()) name_readings(rows, readings, session);
    write(rows, given, session);
  }

 private:
  void check_options(bool makes) const {
    if (makes && !texts_.empty())
      throw UsageError("--text is for existing clusterings", "the text to cluster needs no option");
    if (makes) return;
    if (!also_.empty() || seeds_ > 1)
      throw UsageError("--also and --seeds are for methods on a text", "add --methods or --classes");
    if (inputs_.size() < 2)
      throw UsageError("there is nothing to compare with",
                       "give another clustering, or --methods or --classes to cluster a text");
    if (!held_out_.empty() && texts_.empty())
      throw UsageError("--held-out needs a text to estimate probabilities from", "add --text");
  }

  /// How each clustering's own text was read; where nobody says, as that of the first which says so.
  std::vector<TextOptions> readings_of(const std::vector<NamedClustering>& given, FollowWhat what,
                                       Session& session) const {
    std::vector<TextOptions> readings;
    if (texts_.empty() && gold_.empty()) return std::vector<TextOptions>(given.size(), counting_.text);
    const auto says_so = [](const NamedClustering& one) {
      return one.clustering.preprocessing().has_value();
    };
    const auto known = std::find_if(given.begin(), given.end(), says_so);
    for (const NamedClustering& one : given) {
      const NamedClustering& followed = says_so(one) || known == given.end() ? one : *known;
      readings.push_back(
          model_text_.reading_of(followed.clustering.preprocessing(), one.name, texts_, session, what));
      say_reading(readings, followed.name, session);
    }
    return readings;
  }

  /// Says how the text is read for the last of these, if that is new and not what the options say.
  void say_reading(const std::vector<TextOptions>& readings, const std::string& name,
                   Session& session) const {
    const Preprocessing last = preprocessing_of(readings.back());
    const auto is_same = [&](const TextOptions& other) { return preprocessing_of(other) == last; };
    const bool is_new = std::none_of(readings.begin(), readings.end() - 1, is_same);
    const bool is_given = is_same(counting_.text);
    if (is_new && !is_given)
      session.say(fmt::format("text is read as that of {} was: {}", name, reading_name(last)));
  }

  /// Rows whose texts were read in different ways say how; their figures on the text are not to be compared.
  static void name_readings(std::vector<ComparedRow>& rows, const std::vector<TextOptions>& readings,
                            Session& session) {
    const Preprocessing first = preprocessing_of(readings.front());
    if (std::all_of(readings.begin(), readings.end(),
                    [&](const TextOptions& text) { return preprocessing_of(text) == first; }))
      return;
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].reading = reading_name(preprocessing_of(readings[i]));
    session.run().progress->warn(
        "these clusterings were made from text that was read in different ways, and each is measured on its own "
        "reading: AMI and perplexity can be compared only where it is the same; to measure all on one reading, "
        "give its options (--lowercase, --tokenize ...), or --no-preprocessing");
  }

  /// The texts, read with these options; each way is read once.
  const Texts& texts_for(const TextOptions& reading, const std::vector<std::string>& inputs, ReadTexts& read,
                         Session& session) const {
    for (const auto& [done, texts] : read) {
      if (done == preprocessing_of(reading)) return *texts;
    }
    if (!read.empty()) refuse_pipes(inputs);
    read.emplace_back(preprocessing_of(reading),
                      std::make_unique<Texts>(read_texts(inputs, reading, session)));
    return *read.back().second;
  }

  /// What can be read only once cannot be read in two ways.
  void refuse_pipes(const std::vector<std::string>& inputs) const {
    for (const auto* paths : {&inputs, &held_out_, &gold_}) {
      for (const std::string& path : *paths) {
        if (path == "-" || std::filesystem::is_fifo(path))
          throw UsageError(
              "these clusterings need the text read in different ways, and a pipe can be read once",
              "give a file, or the options of one reading, or --no-preprocessing");
      }
    }
  }

  Texts read_texts(const std::vector<std::string>& inputs, const TextOptions& reading,
                   Session& session) const {
    Texts texts;
    texts.has_counts = !inputs.empty();
    CountOptions counting = counting_;
    counting.text = reading;
    if (texts.has_counts) texts.counts = read_counts(session.text(inputs), counting, session.run());
    if (!held_out_.empty())
      texts.held_out = read_counts(session.text(held_out_), {.text = reading}, session.run());
    if (!gold_.empty())
      texts.gold = read_tagged_text(session.text(gold_),
                                    {.tag = tag_,
                                     .lowercase = reading.lowercase,
                                     .normalize = reading.normalize,
                                     .invalid_utf8 = reading.invalid_utf8},
                                    session.run());
    return texts;
  }

  static ComparedRow row_of(const NamedClustering& one, const Texts& texts, Session& session) {
    ComparedRow row{.name = one.name, .runs = {}};
    row.runs.push_back({.scores = score_clustering(one.clustering, texts.all(), session.run())});
    return row;
  }

  /// Text and vocabulary options, and the inputs: what the clusterings depend on besides their own options.
  RunRecord origin(Session& session) const {
    std::set<std::string> names;
    for (const OptionInfo& info : options_->infos()) {
      if (info.group == "Text" || info.group == "Vocabulary") names.insert(info.names);
    }
    RunRecord record;
    record.command = "compare";
    for (auto& [name, value] : options_->values()) {
      if (names.contains(name)) record.options.emplace_back(name, value);
    }
    record.inputs = describe_inputs(expand_folders(session.text(inputs_)), session.run());
    const std::string& words = counting_.vocabulary.vocab_file;
    if (!words.empty()) record.inputs.push_back(describe_inputs(words, session.run()).front());
    return record;
  }

  std::vector<ComparedRow> compare_methods(Session& session) {
    const auto methods = parse_methods(methods_.empty() ? kAllMethods : methods_);
    if (classes_.empty()) classes_ = {100, 500};
    std::set<int> distances;
    for (const NamedClusterMethod& one : methods) {
      for (const int distance : required_distances(one.method)) distances.insert(distance);
    }
    counting_.distances.assign(distances.begin(), distances.end());
    std::vector<NamedClustering> others;
    for (const std::string& path : also_)
      others.push_back({path, load_clustering(path, ClusterFormat::automatic, session.run())});
    const RunStore store(folder_, folder_.empty() ? RunRecord{} : origin(session));
    ReadTexts read;
    const Texts& texts = texts_for(counting_.text, inputs_, read, session);
    std::vector<ComparedRow> rows;
    for (const ClassId classes : classes_) {
      for (const NamedClusterMethod& method : methods)
        rows.push_back(row_of({method, classes, session.run().seed}, store, texts, session));
    }
    std::vector<TextOptions> readings(rows.size(), counting_.text);
    for (const NamedClustering& one : others) {
      readings.push_back(model_text_.reading_of(one.clustering.preprocessing(), one.name, inputs_, session,
                                                FollowWhat::all));
      say_reading(readings, one.name, session);
      rows.push_back(row_of(one, texts_for(readings.back(), inputs_, read, session), session));
    }
    name_readings(rows, readings, session);
    return rows;
  }

  ComparedRow row_of(PlannedRun plan, const RunStore& store, const Texts& texts, Session& session) const {
    ComparedRow row{.name = plan.method.name, .classes = plan.classes, .runs = {}};
    std::vector<Clustering> clusterings;
    const std::uint32_t seeds = plan.method.uses_seed() ? seeds_ : 1;
    for (std::uint32_t i = 0; i < seeds; ++i, ++plan.seed) {
      FinishedRun made = store.get(plan, texts.counts, session.run());
      row.runs.push_back({.seed = plan.seed,
                          .scores = score_clustering(made.clustering, texts.all(), session.run()),
                          .cpu_seconds = made.cpu_seconds,
                          .peak_memory = made.peak_memory});
      session.say(fmt::format("{}, {} classes, seed {}: AMI {:.4f} bits, {:.2f} CPU s{}", plan.method.name,
                              plan.classes, plan.seed, *row.runs.back().scores.ami_bits, made.cpu_seconds,
                              made.found ? " (made before)" : ""));
      clusterings.push_back(std::move(made.clustering));
    }
    row.stability = mean_agreement(clusterings);
    return row;
  }

  /// The first clustering against each of the others.
  std::string agreements(const std::vector<NamedClustering>& given) const {
    std::string text;
    for (std::size_t i = 1; i < given.size(); ++i)
      text += "\n" + agreement_text(given.front(), given[i], show_);
    return text;
  }

  std::string json(const std::vector<ComparedRow>& rows, const std::vector<NamedClustering>& given) const {
    Json json = Json::parse(comparison_json(rows));
    for (std::size_t i = 1; i < given.size(); ++i)
      json["agreement"].push_back(agreement_json(given.front(), given[i], show_));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  void write(const std::vector<ComparedRow>& rows, const std::vector<NamedClustering>& given,
             Session& session) const {
    const std::string text = comparison_text(rows) + agreements(given);
    if (!folder_.empty()) {
      OutputTransaction outputs;
      outputs.claim_folder(folder_, [](std::string_view name) { return name.starts_with("compare."); });
      save_text(folder_ + "/compare.md", markdown_text(text));
      save_text(folder_ + "/compare.tsv", comparison_tsv(rows));
      save_text(folder_ + "/compare.json", json(rows, given));
      save_text(folder_ + "/compare.html",
                comparison_page(rows, fmt::format("Comparison: {}", inputs_.front())));
      outputs.commit();
    }
    if (format_ == TableFormat::tsv) return session.print(comparison_tsv(rows));
    session.print(format_ == TableFormat::json || session.json() ? json(rows, given) : text);
  }

  std::vector<std::string> inputs_;
  std::string methods_;
  std::vector<ClassId> classes_;
  std::uint32_t seeds_ = 1;
  std::vector<std::string> also_;
  std::vector<std::string> texts_;
  std::vector<std::string> held_out_;
  std::vector<std::string> gold_;
  TagColumn tag_ = TagColumn::upos;
  std::string folder_;
  TableFormat format_ = TableFormat::text;
  std::size_t show_ = 10;
  CountOptions counting_;
  ModelText model_text_;
  const OptionTable* options_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_compare_command() {
  return std::make_unique<CompareCommand>();
}

}  // namespace firth::cli
