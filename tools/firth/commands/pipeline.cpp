// firth pipeline: raw text and a few labelled sentences in; classes, a tagger and their scores out.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <firth/cluster.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <firth/run_record.hpp>
#include <firth/tag_scores.hpp>
#include <utility>

#include "commands/commands.hpp"
#include "commands/result_files.hpp"
#include "commands/tag_options.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

constexpr const char* kTagger = "tagger";

double score(const TagScore& one) {
  return one.has_entities ? one.entities.f1() : one.accuracy();
}

/// Two taggers on sentences that neither has seen.
struct Comparison {
  TagScore without;
  TagScore with;
  std::size_t train_sentences = 0;
  ConfidenceInterval interval = {};  ///< of the gain

  double gain() const { return score(with) - score(without); }
};

Comparison compare(TagScore without, TagScore with, std::size_t train_sentences) {
  const Bootstrap drawn = gain_interval(with, without, {});
  const ConfidenceInterval interval = with.has_entities ? drawn.f1 : drawn.accuracy;
  return {std::move(without), std::move(with), train_sentences, interval};
}

Figures figures_of(const Comparison& taggers) {
  return {{"score", taggers.with.has_entities ? "f1" : "accuracy"},
          {"without_classes", score(taggers.without)},
          {"with_classes", score(taggers.with)},
          {"gain", taggers.gain()},
          {"gain_low", taggers.interval.low},
          {"gain_high", taggers.interval.high},
          {"train_sentences", static_cast<double>(taggers.train_sentences)},
          {"test_sentences", static_cast<double>(taggers.with.sentences.size())}};
}

std::string as_text(const Comparison& taggers) {
  std::string text =
      fmt::format("{} on {}, trained on {}:\n", taggers.with.has_entities ? "F1" : "accuracy",
                  counted(taggers.with.sentences.size(), "sentence", "sentences"), taggers.train_sentences);
  text += fmt::format("  without classes  {}\n", percent(score(taggers.without)));
  text += fmt::format("  with classes     {}  {:+.2f} [{:+.2f}, {:+.2f}]\n", percent(score(taggers.with)),
                      100 * taggers.gain(), 100 * taggers.interval.low, 100 * taggers.interval.high);
  return text;
}

class PipelineCommand final : public Command {
 public:
  std::string name() const override { return "pipeline"; }
  std::string summary() const override {
    return "makes classes and a tagger from text and a few labelled sentences";
  }
  std::string description() const override {
    return "Finds classes of words in TEXT, trains a tagger on labelled sentences with them, and says how good it is with and without the classes: on --test, or else on every fifth labelled sentence, which is held out. The tagger that is written was trained on all labelled sentences. Writes into DIR what firth cluster writes, and the file tagger; an earlier result is replaced as a whole.";
  }
  std::vector<Example> examples() const override {
    return {{"firth pipeline text.txt --labelled train.conll -o out",
             "then: firth tag run out/tagger new.txt; firth show out"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options_ = &options;
    options.positionals("TEXT", inputs_, "Files or folders of raw text; - is standard input.");
    options.group("Pipeline");
    options.texts("--labelled", "FILE", labelled_,
                  "Labelled sentences (CoNLL columns or CoNLL-U). May be given several times.");
    options.require_last();
    options.texts("--test", "FILE", tests_, "Labelled sentences to score on, in place of every fifth one.");
    options.text("-o,--output", "DIR", output_, "Output folder; created if it does not exist.");
    options.writes_folder();
    options.require_last();
    options.number<ClassId>("-c,--classes", "K", classes_, {1, 1u << 30},
                            "Number of classes; fewer if the text has fewer words.");
    options.number_or<Count>(
        "--min-count", "N", min_count_.given, {1, 1u << 30}, {"auto", 0},
        "Leave out of the classes words that occur fewer than N times; auto = 3 for texts of half a million words and more, 5 from ten million on, otherwise 1.");
    options.show_default("auto");
    options.flag(
        "--tokenize", counting_.text.tokenize,
        "Split TEXT at Unicode word boundaries instead of white space; punctuation marks become words.");
    declare_training(options, training_);
    declare_token_options(options, tokens_);
    session.declare(options, {.seed = true, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    const RunOptions& run = session.run();
    counting_.text.lowercase = training_.words.lowercase;
    counting_.text.normalize = training_.words.normalize;
    counting_.text.invalid_utf8 = tokens_.invalid_utf8;
    OutputTransaction outputs;
    outputs.claim_folder(output_,
                         [](std::string_view name) { return is_result_file(name) || name == kTagger; });
    const std::vector<TaggedSentence> labelled = read_tagged(session.text(labelled_), tokens_, run);
    std::vector<TaggedSentence> train;
    std::vector<TaggedSentence> test;
    split(labelled, train, test, session);
    const ClusterResult classes = find_classes(session);
    const TaggerKnowledge knowledge = {{{classes.clustering, {}}}, {}, {}};
    const Tagger tagger = train_tagger(train, training_, knowledge, run);
    const Comparison taggers = compare(score_tagger(train_tagger(train, training_, {}, run), test, {}, run),
                                       score_tagger(tagger, test, {}, run), train.size());
    save_tagger(output_ + "/" + kTagger,
                !tests_.empty() ? tagger : train_tagger(labelled, training_, knowledge, run));
    save_clustering(output_, classes.clustering, ClusterFormat::firth);
    const Figures figures = figures_of(taggers);
    save_run_record(output_ + "/run.json", record(classes, figures, session));
    outputs.commit();
    report(session, taggers, figures);
  }

 private:
  static constexpr std::size_t kOneOf = 5;

  void report(Session& session, const Comparison& taggers, Figures figures) const {
    figures.insert(figures.begin(), {"folder", output_});
    if (session.json()) return session.report(figures, "");
    session.print(as_text(taggers));
    session.say(fmt::format("{0}: the classes; {0}/{1}: the tagger, trained on all labelled sentences",
                            output_, kTagger));
  }

  void split(const std::vector<TaggedSentence>& labelled, std::vector<TaggedSentence>& train,
             std::vector<TaggedSentence>& test, const Session& session) const {
    if (!tests_.empty()) {
      train = labelled;
      test = read_tagged(session.text(tests_), tokens_, session.run());
      return;
    }
    if (labelled.size() < kOneOf) {
      throw InputError(
          {labelled.front().path},
          fmt::format("only {}", counted(labelled.size(), "labelled sentence", "labelled sentences")),
          fmt::format("give {} or more, or sentences to score on with --test", kOneOf));
    }
    for (std::size_t i = 0; i < labelled.size(); ++i) {
      (i % kOneOf == kOneOf - 1 ? test : train).push_back(labelled[i]);
    }
  }

  ClusterResult find_classes(Session& session) {
    const Counts counts = cli::read_counts(session.text(inputs_), counting_, min_count_, session);
    if (counts.vocabulary().size() < 2) {
      throw InputError({inputs_.front()},
                       fmt::format("fewer than two words occur {}",
                                   counted(counting_.vocabulary.min_count, "time", "times")),
                       "give more text, or a lower --min-count");
    }
    AutoOptions method;
    method.effort = SearchEffort::fast;
    method.classes = static_cast<ClassId>(std::min<std::size_t>(classes_, counts.vocabulary().size()));
    return cluster(counts, method, session.run());
  }

  RunRecord record(const ClusterResult& classes, const Figures& figures, const Session& session) const {
    RunRecord record;
    record.command = name();
    record.options = options_->values();
    record.inputs = describe_inputs(inputs_);
    for (const InputRecord& labelled : describe_inputs(labelled_)) record.inputs.push_back(labelled);
    if (!tests_.empty()) {
      for (const InputRecord& test : describe_inputs(tests_)) record.inputs.push_back(test);
    }
    record.figures = {{"classes", static_cast<double>(classes.clustering.class_count())},
                      {"ami_bits", classes.ami_bits}};
    for (const auto& [key, value] : figures) {
      if (std::holds_alternative<double>(value)) record.figures.emplace_back(key, std::get<double>(value));
    }
    record.stages = session.stages();
    record.iterations = classes.iterations;
    record.series = classes.series;
    return record;
  }

  const OptionTable* options_ = nullptr;
  std::vector<std::string> inputs_;
  std::vector<std::string> labelled_;
  std::vector<std::string> tests_;
  std::string output_;
  ClassId classes_ = 1000;
  MinCount min_count_;
  CountOptions counting_;
  TaggerOptions training_;
  TokenOptions tokens_;
};

}  // namespace

std::unique_ptr<Command> make_pipeline_command() {
  return std::make_unique<PipelineCommand>();
}

}  // namespace firth::cli
