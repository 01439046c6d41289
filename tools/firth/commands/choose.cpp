// firth choose: how many classes?
#include "commands/choose.hpp"

#include <fmt/format.h>

#include <firth/choose.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/pictures.hpp>
#include <firth/report.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "commands/choose_by.hpp"
#include "commands/commands.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kChooseDescription =
    "Finds the number of classes that predicts held-out text best. Blocks of lines are held out, spread over the text; words are clustered on the rest; and numbers of classes are scored by the perplexity of a class bigram model on the held-out lines (lower is better). The curve is flat around its lowest point, so the answer is the smallest number within half a percent of the lowest perplexity. What fewer classes would cost is printed, too. Count files have no lines: their pairs of neighbours are held out one by one, which makes them easier to predict and favours more classes. With --gold, numbers of classes are scored against gold tags; with --train and --dev, by a tagger that uses the classes. 'firth cluster -c auto' does the same and clusters with the answer.";

Json points_json(const std::vector<ChoicePoint>& points) {
  Json list = Json::array();
  for (const ChoicePoint& point : points)
    list.push_back({{"classes", point.classes}, {"perplexity", point.perplexity}});
  return list;
}

const std::map<HeldOutKind, std::string>& judge_names() {
  static const std::map<HeldOutKind, std::string> names = {
      {HeldOutKind::pairs, "pairs"}, {HeldOutKind::blocks, "blocks"}, {HeldOutKind::text, "text"}};
  return names;
}

/// What was predicted, in words.
std::string judge_text(const ClassChoice& choice) {
  const std::string pairs = grouped(choice.held_out);
  switch (choice.judge) {
    case HeldOutKind::pairs:
      return pairs +
             " pairs held out one by one: counts have no lines, and a text of few lines has no blocks";
    case HeldOutKind::blocks:
      return pairs + " pairs of held-out blocks of lines";
    case HeldOutKind::text:
      break;
  }
  return pairs + " pairs of the other text";
}

Json choice_json(const ClassChoice& choice) {
  return {{"classes", choice.classes},
          {"perplexity", choice.perplexity},
          {"judged_by", judge_names().at(choice.judge)},
          {"held_out_pairs", choice.held_out},
          {"at_limit", choice.at_limit},
          {"within_1_percent", choice.smallest_within(0.01)},
          {"within_3_percent", choice.smallest_within(0.03)},
          {"within_10_percent", choice.smallest_within(0.1)},
          {"refined", points_json(choice.refined)},
          {"cuts", points_json(choice.cuts)}};
}

/// A line for every doubling of the number of classes, and the numbers that were tried around the best.
std::string choice_table(const ClassChoice& choice) {
  std::string text = " classes  perplexity of held-out pairs\n";
  ClassId next = 1;
  for (const ChoicePoint& point : choice.cuts) {
    if (point.classes < next) continue;
    text += fmt::format("{:>8}  {:.2f}\n", grouped(point.classes), point.perplexity);
    next = 2 * point.classes;
  }
  text += "with classes of their own instead of cuts of one tree:\n";
  for (const ChoicePoint& point : choice.refined) {
    text += fmt::format("{:>8}  {:.2f}{}\n", grouped(point.classes), point.perplexity,
                        point.classes == choice.classes ? "  *" : "");
  }
  return text;
}

class ChooseCommand : public Command {
 public:
  std::string name() const override { return "choose"; }
  std::string summary() const override {
    return "finds the number of classes that predicts held-out text best";
  }
  std::string description() const override { return kChooseDescription; }
  std::vector<Example> examples() const override {
    return {
        {"firth choose text.txt", "The number of classes that predicts best, and what fewer would cost."},
        {"firth choose text.txt --held-out dev.txt", "By another text of the same kind."},
        {"firth choose text.counts --svg choice.svg", "With the curve as a picture."},
        {"firth choose text.txt --gold tagged.conllu", "The number of classes that agrees best with tags."},
        {"firth choose text.txt --train train.conll --dev dev.conll",
         "The number of classes that helps a tagger most."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positionals("TEXT", inputs_, "Text or count files, folders, or - for standard input.");
    options.group("Choosing");
    options.real(
        "--held-out-share", "SHARE", choosing_.held_out, {0.001, 0.9},
        "Share of the text to hold out, in blocks of lines; of a count file, pairs drawn at random.");
    options.field_of_last("ChooseOptions::held_out");
    options.texts("--held-out", "TEXT", other_,
                  "Predict the pairs of this text instead: the best test, if you have such a text.");
    options.number_or<ClassId>(
        "--max-classes", "K", choosing_.max_classes, {1, 1u << 20}, {"auto", 0},
        "Maximum number of classes to try; auto = the square root of the number of pairs of neighbours, or fewer if more do not help.");
    options.show_default("auto");
    options.field_of_last("ChooseOptions::max_classes");
    options.group("Choosing by a task");
    options.texts("--gold", "TAGGED", gold_, "Choose by V-measure against the tags of this text.");
    options.choice("--tag", tag_, {{"upos", TagColumn::upos}, {"xpos", TagColumn::xpos}},
                   "The column of CoNLL-U that is the tag.");
    options.texts("--train", "FILE", train_, "Choose by a tagger that is trained on these sentences.");
    options.texts("--dev", "FILE", dev_, "Tagged sentences to score that tagger on.");
    options.group("Output");
    options.flag("--json", json_, "Print JSON, with the whole curve.");
    options.text("--svg", "FILE", picture_, "Also draw the curve.");
    options.writes_file();
    declare_text_options(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary, &min_count_);
    session.declare(options, {.threads = true, .seed = true, .memory = true, .text = true});
  }

  void run(Session& session) override {
    if (train_.empty() != dev_.empty() || (!gold_.empty() && !dev_.empty()))
      throw UsageError("a tagger needs --train and --dev, and tags need --gold alone",
                       "leave out the others");
    const bool by_text = other_.empty() && gold_.empty() && dev_.empty();
    if (by_text) counting_.held_out_share = choosing_.held_out;
    const Counts counts = cli::read_counts(session.text(inputs_), counting_, min_count_, session);
    if (!gold_.empty() || !dev_.empty()) return choose_by_use(counts, session);
    const ClassChoice choice = choose(counts, session);
    if (!picture_.empty()) save_report(picture_, choice_picture(choice));
    if (json_) return session.print(choice_json(choice).dump(2) + "\n");
    session.print(choice_table(choice) + choice_text(choice) + "\n");
  }

 private:
  ClassChoice choose(const Counts& counts, Session& session) const {
    if (other_.empty()) return choose_classes(counts, choosing_, session.run());
    const Counts other = read_counts(session.text(other_), {.text = counting_.text}, session.run());
    return choose_classes_for(counts, other, choosing_, session.run());
  }

  void choose_by_use(const Counts& counts, Session& session) const {
    const ClassId most = choosing_.max_classes;
    ScoredChoice choice;
    if (!gold_.empty()) {
      const GoldText gold = read_tagged_text(session.text(gold_),
                                             {.tag = tag_,
                                              .lowercase = counting_.text.lowercase,
                                              .normalize = counting_.text.normalize,
                                              .invalid_utf8 = counting_.text.invalid_utf8},
                                             session.run());
      choice = choose_by_tags(counts, gold, most, session.run());
    } else {
      const TokenOptions tokens{.invalid_utf8 = counting_.text.invalid_utf8};
      const TaggedTask task{read_tagged(session.text(train_), tokens, session.run()),
                            read_tagged(session.text(dev_), tokens, session.run())};
      choice = choose_by_task(counts, task, most, session.run());
    }
    if (!picture_.empty()) {
      std::vector<ChartPoint> points;
      for (const ScoredNumber& one : choice.numbers)
        points.push_back({static_cast<double>(one.classes), one.score});
      save_report(picture_, curve_svg(points, {.title = choice.measure,
                                               .x_label = "number of classes",
                                               .y_label = choice.measure,
                                               .log_x = true}));
    }
    session.print(json_ ? scored_choice_json(choice) : scored_choice_text(choice));
  }

  static std::string choice_picture(const ClassChoice& choice) {
    std::vector<ChartPoint> points;
    for (const ChoicePoint& point : choice.cuts)
      points.push_back({static_cast<double>(point.classes), point.perplexity});
    return curve_svg(points, {.title = "Perplexity of held-out pairs",
                              .x_label = "number of classes",
                              .y_label = "perplexity",
                              .log_x = true,
                              .log_y = true});
  }

  std::vector<std::string> inputs_;
  CountOptions counting_;
  MinCount min_count_;
  ChooseOptions choosing_;
  std::vector<std::string> other_;
  std::vector<std::string> gold_;
  TagColumn tag_ = TagColumn::upos;
  std::vector<std::string> train_;
  std::vector<std::string> dev_;
  std::string picture_;
  bool json_ = false;
};

}  // namespace

std::string choice_text(const ClassChoice& choice) {
  const bool best = choice.smallest_within(0) <= choice.classes;
  const bool one = choice.classes == 1;
  return fmt::format("{} {} (perplexity {:.2f}, {}{}); at most 1 % worse: {} classes, 3 %: {}, 10 %: {}",
                     counted(choice.classes, "class", "classes"),
                     one ? (best ? "predicts best" : "is enough: more predict at most 0.5 % better")
                         : (best ? "predict best" : "are enough: more predict at most 0.5 % better"),
                     choice.perplexity, judge_text(choice),
                     choice.at_limit ? "; more might be better still" : "",
                     grouped(choice.smallest_within(0.01)), grouped(choice.smallest_within(0.03)),
                     grouped(choice.smallest_within(0.1)));
}

std::unique_ptr<Command> make_choose_command() {
  return std::make_unique<ChooseCommand>();
}

}  // namespace firth::cli
