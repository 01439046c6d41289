// firth tag compare: which classes help, and how much.
#include <fmt/format.h>

#include <firth/clustering.hpp>
#include <firth/embed.hpp>
#include <firth/error.hpp>
#include <firth/tag_scores.hpp>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/tag_options.hpp"

namespace firth::cli {
namespace {

/// One row of the table: what the tagger knows.
struct Setting {
  std::string name;
  TaggerKnowledge knowledge;
};

using Json = nlohmann::ordered_json;

Json score_json(const TagScore& score, const TagScore& base, bool is_base, const BootstrapOptions& options) {
  const bool entities = score.has_entities;
  const auto value = [&](const TagScore& s) { return entities ? s.entities.f1() : s.accuracy(); };
  const Bootstrap own = bootstrap(score, options);
  const ConfidenceInterval range = entities ? own.f1 : own.accuracy;
  Json json = {{"measure", entities ? "f1" : "accuracy"},
               {"score", value(score)},
               {"interval", {range.low, range.high}},
               {"unknown", entities ? score.unknown_entities.f1() : score.unknown_accuracy()}};
  if (is_base) return json;
  const Bootstrap gain = gain_interval(score, base, options);
  const ConfidenceInterval ahead = entities ? gain.f1 : gain.accuracy;
  json["gain"] = value(score) - value(base);
  json["gain_interval"] = {ahead.low, ahead.high};
  return json;
}

class TagCompareCommand final : public Command {
 public:
  std::string name() const override { return "tag compare"; }
  std::string summary() const override { return "shows which classes help a tagger, and how much"; }
  std::string description() const override {
    return "Trains the same tagger without classes, with each clustering, and with each set of vectors, and "
           "prints a table (Markdown) of how good each is on every --test file: F1 of entities, or accuracy "
           "for other tags, with the interval that holds 95% of bootstrap samples of sentences; the gain "
           "over the tagger without classes, with the interval of the difference on the same samples; and "
           "the score on unknown words (entities with a word that the training sentences did not have). "
           "--parts trains on these percentages of the sentences: a learning curve. --together adds a tagger "
           "with everything.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth tag compare train.conll --test dev.conll --clusters brown --clusters spectral",
         "three taggers, three rows"},
        {"firth tag compare train.conll --test dev.conll --test test.conll --clusters out --parts 1,10,100",
         "a learning curve on two files"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TRAIN", inputs_, "Files with words and tags.");
    options.group("Comparison");
    options.texts("--test", "FILE", tests_, "Tagged file to score on. May be given several times.");
    options.require_last();
    options.texts("--clusters", "DIR", clusters_, "Classes to compare. May be given several times.");
    options.texts("--vectors", "FILE", vectors_, "Word vectors to compare. May be given several times.");
    options.flag("--together", together_, "Also all clusterings and vectors at once.");
    options.numbers<int>("--parts", "P,P...", parts_, {1, 100}, "Percent of the training sentences to use.");
    options.number<int>("--bootstrap;--samples", "N", bootstrap_.samples, {1, 1000000},
                        "Bootstrap samples for the intervals.");
    declare_training(options, training_);
    declare_class_features(options, choice_);
    declare_token_options(options, tokens_);
    session.declare(options, {.threads = false, .seed = true, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    bootstrap_.seed = session.run().seed;
    const std::vector<TaggedSentence> sentences = read_tagged(session.text(inputs_), tokens_, session.run());
    std::vector<std::vector<TaggedSentence>> tests;
    for (const std::string& path : tests_) {
      tests.push_back(read_tagged(session.text({path}), tokens_, session.run()));
    }
    const std::vector<Setting> settings = all_settings(session.run());
    Json rows = Json::array();
    if (!session.json()) print_head(session);
    for (const int part : parts_) {
      compare_part(sample_sentences(sentences, part, session.run().seed), tests, settings, rows, session);
    }
    if (session.json())
      session.print(Json{{"rows", rows}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

 private:
  void print_head(Session& session) const {
    session.print("| trained on | features |");
    for (const std::string& path : tests_) session.print(fmt::format(" {} | gain | unknown words |", path));
    session.print("\n|---|---|");
    for (std::size_t i = 0; i < tests_.size(); ++i) session.print("---|---|---|");
    session.print("\n");
  }

  std::vector<Setting> all_settings(const RunOptions& run) const {
    std::vector<Setting> settings = {{"no classes", {}}};
    Setting everything = {"together", {}};
    for (const std::string& path : clusters_) {
      const Clustering classes = load_clustering(path, ClusterFormat::automatic, run);
      settings.push_back({path, {{{classes, choice_.get()}}, {}}});
      everything.knowledge.classes.push_back(settings.back().knowledge.classes.front());
    }
    for (const std::string& path : vectors_) {
      settings.push_back({path, {{}, {load_vectors(path, run)}}});
      everything.knowledge.vectors.push_back(settings.back().knowledge.vectors.front());
    }
    if (together_) settings.push_back(std::move(everything));
    return settings;
  }

  void compare_part(const std::vector<TaggedSentence>& part,
                    const std::vector<std::vector<TaggedSentence>>& tests,
                    const std::vector<Setting>& settings, Json& rows, Session& session) const {
    std::vector<TagScore> base;
    for (const Setting& setting : settings) {
      const Tagger tagger = train_tagger(part, training_, setting.knowledge, session.run());
      std::string row = fmt::format("| {} sentences | {} |", part.size(), setting.name);
      for (std::size_t i = 0; i < tests.size(); ++i) {
        const TagScore score = score_tagger(tagger, tests[i], {}, session.run());
        const bool first = base.size() == i;
        if (first) base.push_back(score);
        const bool is_base = &setting == &settings.front();
        if (session.json()) {
          rows.push_back(score_json(score, base[i], is_base, bootstrap_));
          rows.back()["sentences"] = part.size();
          rows.back()["features"] = setting.name;
          rows.back()["test"] = tests_[i];
        } else {
          row += cells(score, base[i], is_base);
        }
      }
      if (!session.json()) session.print(row + "\n");
    }
  }

  std::string cells(const TagScore& score, const TagScore& base, bool is_base) const {
    const bool entities = score.has_entities;
    const auto value = [&](const TagScore& s) { return entities ? s.entities.f1() : s.accuracy(); };
    const Bootstrap own = bootstrap(score, bootstrap_);
    const ConfidenceInterval range = entities ? own.f1 : own.accuracy;
    std::string text =
        fmt::format(" {} [{}, {}] |", percent(value(score)), percent(range.low), percent(range.high));
    if (is_base) {
      text += " |";
    } else {
      const Bootstrap gain = gain_interval(score, base, bootstrap_);
      const ConfidenceInterval ahead = entities ? gain.f1 : gain.accuracy;
      text += fmt::format(" {:+.2f} [{:+.2f}, {:+.2f}] |", 100 * (value(score) - value(base)),
                          100 * ahead.low, 100 * ahead.high);
    }
    return text +
           fmt::format(" {} |", percent(entities ? score.unknown_entities.f1() : score.unknown_accuracy()));
  }

  std::vector<std::string> inputs_;
  std::vector<std::string> tests_;
  std::vector<std::string> clusters_;
  std::vector<std::string> vectors_;
  bool together_ = false;
  std::vector<int> parts_ = {100};
  BootstrapOptions bootstrap_;
  TaggerOptions training_;
  ClassFeatureChoice choice_;
  TokenOptions tokens_;
};

}  // namespace

std::unique_ptr<Command> make_tag_compare_command() {
  return std::make_unique<TagCompareCommand>();
}

}  // namespace firth::cli
