#include <fmt/format.h>

#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/evaluate.hpp>
#include <firth/files.hpp>
#include <firth/gold_tags.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "commands/cluster_formats.hpp"
#include "commands/commands.hpp"
#include "commands/sweep.hpp"
#include "commands/tagging_output.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One digit after the point, none if it would be 0.
std::string rounded(double number) {
  std::string text = fmt::format("{:.1f}", number);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string sizes_line(const SizeSummary& sizes) {
  return fmt::format("min {}, median {}, mean {}, max {}", grouped(sizes.min), rounded(sizes.median),
                     rounded(sizes.mean), grouped(sizes.max));
}

std::string coverage_line(const Coverage& coverage) {
  return fmt::format("{:6.2f} %  {} of {}", 100 * coverage.share(), grouped(coverage.covered),
                     grouped(coverage.total));
}

std::optional<double> ami_of(const TextScores& scores, AmiNorm norm) {
  if (norm == AmiNorm::tokens) return scores.ami_tokens_bits;
  if (norm == AmiNorm::unigram) return scores.ami_unigram_bits;
  return scores.ami_bits;
}

const char* name_of(AmiNorm norm) {
  if (norm == AmiNorm::tokens) return "tokens";
  return norm == AmiNorm::unigram ? "unigram" : "bigrams";
}

std::string table(const ClusteringReport& report, AmiNorm norm) {
  std::string text;
  const auto row = [&text](std::string_view name, std::string_view value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  row("words", grouped(report.words));
  row("classes",
      fmt::format("{} ({} of a single word)", grouped(report.classes), grouped(report.singletons)));
  row("words per class", sizes_line(report.class_words));
  row("tokens per class", sizes_line(report.class_tokens));
  if (report.text) {
    const std::optional<double> ami = ami_of(*report.text, norm);
    row("AMI", ami ? fmt::format("{:.6f} bits ({})", *ami, name_of(norm))
                   : "not defined: the text's words have no counts of their own");
    row("known words", coverage_line(report.text->types));
    row("known tokens", coverage_line(report.text->tokens));
    row("known bigrams", coverage_line(report.text->bigrams));
  }
  if (report.largest.empty()) return text;
  text += fmt::format("\n{:>12}  {:>9}  {}\n", "tokens", "words", "largest classes, most frequent words");
  for (const ClassSummary& one : report.largest) {
    text += fmt::format("{:>12}  {:>9}  {}\n", grouped(one.tokens), grouped(one.words),
                        fmt::join(one.top_words, " "));
  }
  return text;
}

Json as_json(const SizeSummary& sizes) {
  return {{"min", sizes.min}, {"median", sizes.median}, {"mean", sizes.mean}, {"max", sizes.max}};
}

Json as_json(const Coverage& coverage) {
  return {{"covered", coverage.covered}, {"total", coverage.total}, {"share", coverage.share()}};
}

Json report_json(const ClusteringReport& report, AmiNorm norm) {
  const auto or_null = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  Json json = {{"words", report.words},
               {"classes", report.classes},
               {"singletons", report.singletons},
               {"class_words", as_json(report.class_words)},
               {"class_tokens", as_json(report.class_tokens)}};
  if (report.text) {
    json["ami_norm"] = name_of(norm);
    json["ami_bits"] = or_null(ami_of(*report.text, norm));
    json["ami"] = {{"bigrams", report.text->ami_bits},
                   {"tokens", report.text->ami_tokens_bits},
                   {"unigram", or_null(report.text->ami_unigram_bits)}};
    json["coverage"] = {{"types", as_json(report.text->types)},
                        {"tokens", as_json(report.text->tokens)},
                        {"bigrams", as_json(report.text->bigrams)}};
  }
  json["largest"] = Json::array();
  for (const ClassSummary& one : report.largest) {
    json["largest"].push_back(
        {{"class", one.id}, {"tokens", one.tokens}, {"words", one.words}, {"top_words", one.top_words}});
  }
  return json;
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

class EvaluateCommand : public Command {
 public:
  std::string name() const override { return "evaluate"; }
  std::string summary() const override { return "scores classes against a text or against tags"; }
  std::string description() const override {
    return "Reports the number and sizes of the classes, and, with --text, how much of the text they know and how much the class of a word tells about the class of the next one: the average mutual information (AMI) in bits, which is what Brown clustering and the exchange algorithm maximise. Classes may come from any tool: see 'firth convert' for the formats.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth evaluate out --text heldout.txt", "classes of firth cluster on another text"},
        {"firth evaluate paths --text corpus.txt --stream", "wcluster's classes, as wcluster reads its text"},
        {"firth evaluate classes.tsv --text corpus.counts --json", "another tool's classes, for a program"},
        {"firth evaluate out --gold en_ewt-ud-test.conllu --tag xpos --lowercase --bootstrap 1000",
         "classes as parts of speech: many-to-1, 1-to-1, VI, V-measure, with intervals"},
        {"firth evaluate text.txt --sweep-method svd2 --sweep 17,50,200 --gold gold.conllu --svg sweep.svg",
         "accuracy against the number of classes: Figure 1 of Lamar et al. (2010)"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("CLASSES", classes_, "A file of classes, or a folder that firth cluster wrote.");
    options.texts("--text", "TEXT", texts_, "Score against these texts or count files.");
    options.flag("--json", json_, "Print JSON instead of a table.");
    declare_gold(options);
    options.choice(
        "--ami-norm", norm_,
        {{"bigrams", AmiNorm::bigrams}, {"tokens", AmiNorm::tokens}, {"unigram", AmiNorm::unigram}},
        "Normalisation of the AMI: bigrams = everything over the number of bigrams; tokens = over the number of tokens (Ciosici 2015); unigram = with class unigrams (Stratos 2014, wcluster).");
    options.choice(
        "--unknown", report_.unknown, {{"unk", UnknownWords::as_unk}, {"skip", UnknownWords::leave_out}},
        "Words of the text without a class: unk = count as <unk> if that has a class; skip = are ignored.");
    options.number<ClassId>("--cut", "K", cut_, {0, std::numeric_limits<ClassId>::max() - 1},
                            "Cut the tree at K classes first; 0 = leave the classes as they are.");
    declare_format(options, "--from", from_, "The format of CLASSES, if it cannot be detected.");
    options.number<std::size_t>("--show", "N", report_.classes, {0, 1'000'000},
                                "List the N largest classes.");
    declare_text_options(options, count_.text);
    session.declare(options, {.threads = true, .seed = true, .memory = true});
  }

  void run(Session& session) override {
    check_options();
    if (!gold_.empty()) read_gold(session);
    if (!sweep_.empty()) {
      print_sweep(session);
      return;
    }
    if (tagged_) {
      const std::vector<std::string> inputs = {classes_};
      const GoldText predicted =
          read_tagged_text(inputs, {.lowercase = count_.text.lowercase}, session.run());
      print_tagging(score_against_gold(text_, predicted, tagging(), session.run()), {}, session);
      return;
    }
    Clustering clustering = load_clustering(classes_, from_);
    if (cut_ > 0) clustering = clustering.cut(cut_);
    if (!gold_.empty() && texts_.empty()) {
      print_tagging(score_against_gold(text_, clustering, tagging(), session.run()), {}, session);
      return;
    }
    const ClusteringReport report =
        texts_.empty() ? describe_clustering(clustering, report_)
                       : evaluate_clustering(clustering, read_counts(texts_, count_, session.run()), report_);
    if (!gold_.empty()) {
      print_tagging(score_against_gold(text_, clustering, tagging(), session.run()), report, session);
      return;
    }
    session.print(json_ ? json_text(report_json(report, norm_)) : table(report, norm_));
  }

 private:
  void declare_gold(OptionTable& options) {
    options.group("Against tags");
    options.texts("--gold", "TAGGED", gold_,
                  "Score against tagged texts: CoNLL-U, or lines of a word, a tab and a tag.");
    options.choice("--tag", tag_, {{"upos", TagColumn::upos}, {"xpos", TagColumn::xpos}},
                   "The column of CoNLL-U that is the tag.");
    options.flag("--tagged", tagged_,
                 "CLASSES is a tagged text too: the words of --gold, each token with a class of its own, as "
                 "'firth hmm tag' writes it.");
    options.flag("--prototype", prototype_,
                 "Also give each class the main tag of its most frequent word, and list those words.");
    options.number<std::uint32_t>(
        "--bootstrap", "N", resamples_, {0, 1'000'000},
        "95 % intervals from N resamples of the sentences (of the words, for scores "
        "over types); 0 = none.");
    options.numbers<ClassId>(
        "--sweep", "K1,K2,..", sweep_, {1, std::numeric_limits<ClassId>::max() - 1},
        "Accuracy against the number of classes (best map, prototype map, upper bound) as a "
        "table with tabs: CLASSES is cut at each K, or with --sweep-method is a text to cluster.");
    options.choice("--sweep-method", sweep_method_,
                   {{"cut", SweepMethod::cut}, {"svd2", SweepMethod::svd2}, {"pos", SweepMethod::pos}},
                   "How the classes of a sweep are made.");
    options.text("--svg", "FILE", svg_, "Also draw the sweep.");
    options.writes_file();
    options.group("Options");
  }

  void check_options() const {
    if (!sweep_.empty() && (gold_.empty() || tagged_)) {
      throw UsageError("--sweep compares classes of words with tags", "add --gold FILE, leave --tagged out");
    }
    if (sweep_.empty() && (!svg_.empty() || sweep_method_ != SweepMethod::cut)) {
      throw UsageError("--svg and --sweep-method are about a sweep", "add --sweep K1,K2,...");
    }
    if (gold_.empty() && (tagged_ || prototype_ || resamples_ > 0)) {
      throw UsageError("--tagged, --prototype and --bootstrap need tags to score against", "add --gold FILE");
    }
    if (tagged_ && (!texts_.empty() || cut_ > 0)) {
      throw UsageError("--text and --cut are about classes of words, --tagged is not",
                       "leave one of them out");
    }
  }

  void print_sweep(Session& session) {
    const std::vector<Clustering> classes = sweep_classes(
        {.input = classes_, .from = from_, .count = count_, .classes = sweep_}, sweep_method_, session.run());
    std::vector<SweepPoint> points;
    for (const Clustering& one : classes) {
      const GoldReport report = score_against_gold(text_, one, {.unknown = report_.unknown}, session.run());
      points.push_back(
          {one.class_count(), report.tokens.many_to_one, report.tokens.prototype, report.upper_bound});
    }
    if (!svg_.empty())
      save_text(svg_, sweep_svg(points, fmt::format("{} against {}", classes_, gold_.front())));
    session.print(sweep_tsv(points));
  }

  void read_gold(Session& session) {
    text_ = read_tagged_text(gold_, {.tag = tag_, .lowercase = count_.text.lowercase}, session.run());
  }

  GoldOptions tagging() const {
    return {.unknown = report_.unknown, .resamples = resamples_, .classes = report_.classes};
  }

  void print_tagging(const GoldReport& tags, const std::optional<ClusteringReport>& report,
                     Session& session) const {
    if (json_) {
      Json json = report ? report_json(*report, norm_) : Json::object();
      json["gold"] = tagging_json(tags);
      session.print(json_text(json));
    } else {
      session.print((report ? table(*report, norm_) + "\n" : "") + tagging_table(tags, prototype_));
    }
  }

  std::string classes_;
  std::vector<std::string> texts_;
  bool json_ = false;
  AmiNorm norm_ = AmiNorm::bigrams;
  ClassId cut_ = 0;
  ClusterFormat from_ = ClusterFormat::automatic;
  ReportOptions report_;
  CountOptions count_;
  std::vector<std::string> gold_;
  TagColumn tag_ = TagColumn::upos;
  bool tagged_ = false;
  bool prototype_ = false;
  std::uint32_t resamples_ = 0;
  std::vector<ClassId> sweep_;
  SweepMethod sweep_method_ = SweepMethod::cut;
  std::string svg_;
  GoldText text_;
};

}  // namespace

std::unique_ptr<Command> make_evaluate_command() {
  return std::make_unique<EvaluateCommand>();
}

}  // namespace firth::cli
