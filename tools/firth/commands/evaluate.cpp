#include <fmt/format.h>

#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/evaluate.hpp>
#include <firth/files.hpp>
#include <firth/gold_tags.hpp>
#include <firth/pictures.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/cluster_formats.hpp"
#include "commands/commands.hpp"
#include "commands/report_output.hpp"
#include "commands/tagging_output.hpp"
#include "model_text.hpp"
#include "progress_bar.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Tags to compare with.
struct GoldSettings {
  std::vector<std::string> files;
  TagColumn tag = TagColumn::upos;
  bool tagged = false;
  bool prototype = false;
  std::uint32_t resamples = 0;

  void declare(OptionTable& options) {
    options.texts("--gold", "TAGGED", files,
                  "Score against tagged texts: CoNLL-U, or lines of a word, a tab and a tag.");
    options.choice("--tag", tag, {{"upos", TagColumn::upos}, {"xpos", TagColumn::xpos}},
                   "The column of CoNLL-U that is the tag.");
    options.flag(
        "--tagged", tagged,
        "CLASSES is a tagged text, too: the words of --gold, each token with its own class, as 'firth hmm tag' writes them.");
    options.flag("--prototype", prototype,
                 "Also give each class the main tag of its most frequent word, and list those words.");
    options.number<std::uint32_t>(
        "--bootstrap", "N", resamples, {0, 1'000'000},
        "95 % intervals from N resamples of the sentences (of the words, for scores "
        "over types); 0 = none.");
  }

  GoldText read(const TextOptions& text, const Session& session) const {
    if (files.empty()) return {};
    return read_tagged_text(session.text(files), as_words(text, tag), session.run());
  }

  /// Words as those of the text.
  static GoldTextOptions as_words(const TextOptions& text, TagColumn column = TagColumn::upos) {
    return {.tag = column,
            .lowercase = text.lowercase,
            .normalize = text.normalize,
            .invalid_utf8 = text.invalid_utf8};
  }
};

/// Scores against the number of classes: cuts of one clustering, or several clusterings.
struct SweepSettings {
  std::vector<ClassId> cuts;
  std::string svg;

  void declare(OptionTable& options) {
    options.numbers<ClassId>(
        "--sweep", "K1,K2,..", cuts, {1, std::numeric_limits<ClassId>::max() - 1},
        "Print accuracy against the number of classes (best map, prototype map, upper bound), separated by tabs: the tree of CLASSES is cut at each K. Several CLASSES give such a table, too.");
    options.text("--svg", "FILE", svg, "Also draw the sweep.");
    options.writes_file();
  }

  std::vector<Clustering> clusterings(const std::vector<std::string>& inputs, ClusterFormat from,
                                      const RunOptions& run) const {
    std::vector<Clustering> all;
    all.reserve(inputs.size());
    for (const std::string& input : inputs) all.push_back(load_clustering(input, from, run));
    if (cuts.empty()) return all;
    if (all.size() > 1) {
      throw UsageError("--sweep cuts one clustering", "leave out --sweep, or all CLASSES but one");
    }
    const Clustering whole = std::move(all.front());
    all.clear();
    for (const ClassId classes : cuts) all.push_back(whole.cut(classes));
    return all;
  }
};

/// Accuracies against the number of classes.
std::string draw(const std::vector<SweepPoint>& points, const std::string& title) {
  std::vector<ChartSeries> curves = {{"best map"}, {"prototype map"}, {"one tag per word"}};
  for (const SweepPoint& point : points) {
    const auto classes = static_cast<double>(point.classes);
    curves[0].points.push_back({classes, point.many_to_one});
    curves[1].points.push_back({classes, point.prototype});
    curves[2].points.push_back({classes, point.upper_bound});
  }
  return curves_svg(curves,
                    {.title = title, .x_label = "number of classes", .y_label = "accuracy", .log_x = true});
}

/// What follows the classes is often meant to be a text.
[[noreturn]] void refuse_second_clustering(const std::string& path) {
  throw UsageError(
      fmt::format("'{}' is taken for a second clustering", path),
      fmt::format(
          "if it is a text, write --text '{}'; 'firth compare' compares clusterings, and --gold FILE scores "
          "several by tags",
          path));
}

/// Large because classes are scored by a text, by tags, and over many cuts.
class EvaluateCommand : public Command {
 public:
  std::string name() const override { return "evaluate"; }
  std::string summary() const override { return "scores classes against a text or against tags"; }
  std::string description() const override {
    return "Reports the number and sizes of the classes, and, with --text, how much of the text they cover and how much the class of a word tells about the class of the next one: the average mutual information (AMI) in bits, which is what Brown clustering and the exchange algorithm maximise. Classes may come from any tool: see 'firth convert' for the formats.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth evaluate out --text heldout.txt", "classes of firth cluster on another text"},
        {"firth evaluate paths --text corpus.txt --stream", "wcluster's classes, as wcluster reads its text"},
        {"firth evaluate classes.tsv --text corpus.counts --json", "another tool's classes, for a program"},
        {"firth evaluate out --gold en_ewt-ud-test.conllu --tag xpos --lowercase --bootstrap 1000",
         "classes as parts of speech: many-to-1, 1-to-1, VI, V-measure, with intervals"},
        {"firth evaluate out17 out50 out200 --gold gold.conllu --svg sweep.svg",
         "accuracy against the number of classes: Figure 1 of Lamar et al. (2010)"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("CLASSES", inputs_,
                        "A file of classes, or a folder that firth cluster wrote; with --gold also several.");
    options.texts("--text", "TEXT", texts_, "Score against these texts or count files.");
    options.flag("--json", json_, "Print JSON instead of a table.");
    options.group("Against tags");
    gold_.declare(options);
    sweep_.declare(options);
    options.group("Options");
    options.choice(
        "--ami-norm", norm_,
        {{"bigrams", AmiNorm::bigrams}, {"tokens", AmiNorm::tokens}, {"unigram", AmiNorm::unigram}},
        "Normalisation of the AMI: bigrams = divide by the number of bigrams; tokens = divide by the number of tokens (Ciosici 2015); unigram = with class unigrams (Stratos 2014, wcluster).");
    options.choice(
        "--unknown", report_.unknown, {{"unk", UnknownWords::as_unk}, {"skip", UnknownWords::leave_out}},
        "Words of the text without a class: unk = treat them as <unk>, if that has a class; skip = ignore them.");
    options.number<ClassId>("--cut", "K", cut_, {0, std::numeric_limits<ClassId>::max() - 1},
                            "Cut the tree at K classes first; 0 = leave the classes as they are.");
    declare_format(options, "--from", from_, "The format of CLASSES, if it cannot be detected.");
    options.number<std::size_t>("--show", "N", report_.classes, {0, 1'000'000},
                                "List the N largest classes.");
    model_text_.declare(options, count_.text);
    session.declare(options, {.threads = true, .seed = true, .memory = true, .text = true});
  }

  void run(Session& session) override {
    check_options();
    if (is_sweep()) {
      print_sweep(session);
      return;
    }
    if (gold_.tagged) {
      const GoldText predicted =
          read_tagged_text(session.text(inputs_), GoldSettings::as_words(count_.text), session.run());
      const GoldText gold = gold_.read(count_.text, session);
      print_tagging(score_against_gold(gold, predicted, tagging(), session.run()), {}, session);
      return;
    }
    Clustering clustering = load_clustering(inputs_.front(), from_, session.run());
    warn_of_fine_cut(clustering, cut_, session);
    if (cut_ > 0) clustering = clustering.cut(cut_);
    if (!gold_.files.empty() || !texts_.empty())
      model_text_.follow(clustering.preprocessing(), inputs_.front(), texts_, session,
                         texts_.empty() ? FollowWhat::words : FollowWhat::all);
    const GoldText gold = gold_.read(count_.text, session);
    if (!gold_.files.empty() && texts_.empty()) {
      print_tagging(score_against_gold(gold, clustering, tagging(), session.run()), {}, session);
      return;
    }
    const ClusteringReport report =
        texts_.empty() ? describe_clustering(clustering, report_)
                       : evaluate_clustering(
                             clustering, read_counts(session.text(texts_), count_, session.run()), report_);
    if (!gold_.files.empty()) {
      print_tagging(score_against_gold(gold, clustering, tagging(), session.run()), report, session);
      return;
    }
    session.print(json_ ? json_text(report_json(report, norm_)) : report_table(report, norm_));
  }

 private:
  bool is_sweep() const { return !sweep_.cuts.empty() || inputs_.size() > 1; }

  void check_sweep() const {
    if (gold_.files.empty() || gold_.tagged) {
      if (sweep_.cuts.empty() && gold_.files.empty()) refuse_second_clustering(inputs_[1]);
      throw UsageError("several classes, or cuts, are compared by their tags",
                       "add --gold FILE, without --tagged");
    }
    if (!texts_.empty() || cut_ > 0 || json_) {
      throw UsageError("--text, --cut and --json are about a single clustering", "leave them out of a sweep");
    }
  }

  void check_options() const {
    if (is_sweep()) check_sweep();
    if (!is_sweep() && !sweep_.svg.empty()) {
      throw UsageError("--svg is about a sweep", "add --sweep K1,K2,..., or more CLASSES");
    }
    if (gold_.files.empty() && (gold_.tagged || gold_.prototype || gold_.resamples > 0)) {
      throw UsageError("--tagged, --prototype and --bootstrap need tags to score against", "add --gold FILE");
    }
    if (gold_.tagged && (!texts_.empty() || cut_ > 0)) {
      throw UsageError("--text and --cut are about classes of words, --tagged is not",
                       "leave one of them out");
    }
  }

  /// Words of the tagged text are spelled as those that the clustering was made from.
  void read_gold_for(const Clustering& clustering, const std::string& name, std::optional<GoldText>& gold,
                     Session& session) {
    const TextOptions reading =
        model_text_.reading_of(clustering.preprocessing(), name, {}, session, FollowWhat::words);
    const Preprocessing done = preprocessing_of(reading);
    if (gold && done == gold_reading_) return;
    gold = gold_.read(reading, session);
    gold_reading_ = done;
    if (done != preprocessing_of(count_.text))
      session.say(fmt::format("text is read as that of {} was: {}", name, reading_name(done)));
  }

  void print_sweep(Session& session) {
    const std::vector<Clustering> clusterings = sweep_.clusterings(inputs_, from_, session.run());
    std::vector<SweepPoint> points;
    std::optional<GoldText> gold;
    for (std::size_t i = 0; i < clusterings.size(); ++i) {
      const Clustering& one = clusterings[i];
      if (i < inputs_.size()) read_gold_for(one, inputs_[i], gold, session);  // all cuts have one reading
      const GoldReport report = score_against_gold(*gold, one, {.unknown = report_.unknown}, session.run());
      points.push_back(
          {one.class_count(), report.tokens.many_to_one, report.tokens.prototype, report.upper_bound});
    }
    if (!sweep_.svg.empty())
      save_text(sweep_.svg, draw(points, fmt::format("{} against {}", inputs_.front(), gold_.files.front())));
    session.print(sweep_tsv(points));
  }

  GoldOptions tagging() const {
    return {.unknown = report_.unknown, .resamples = gold_.resamples, .classes = report_.classes};
  }

  void print_tagging(const GoldReport& tags, const std::optional<ClusteringReport>& report,
                     Session& session) const {
    if (json_) {
      Json json = report ? report_json(*report, norm_) : Json::object();
      json["gold"] = tagging_json(tags);
      session.print(json_text(json));
    } else {
      session.print((report ? report_table(*report, norm_) + "\n" : "") +
                    tagging_table(tags, gold_.prototype));
    }
  }

  std::vector<std::string> inputs_;
  std::vector<std::string> texts_;
  bool json_ = false;
  AmiNorm norm_ = AmiNorm::bigrams;
  Preprocessing gold_reading_;
  ClassId cut_ = 0;
  ClusterFormat from_ = ClusterFormat::automatic;
  ReportOptions report_;
  CountOptions count_;
  ModelText model_text_;
  GoldSettings gold_;
  SweepSettings sweep_;
};

}  // namespace

std::unique_ptr<Command> make_evaluate_command() {
  return std::make_unique<EvaluateCommand>();
}

}  // namespace firth::cli
