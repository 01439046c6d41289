#include "commands/choose_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <firth/auto.hpp>
#include <firth/tag_scores.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "progress_bar.hpp"

namespace firth::cli {
namespace {

constexpr ClassId kMinTags = 2;
constexpr ClassId kMaxTags = 500;
constexpr ClassId kMinTask = 16;
constexpr ClassId kMaxTask = 1024;
constexpr int kCutsPerDoubling = 4;
constexpr double kNearlyAsGood = 0.99;

ClassId limit_of(const Counts& counts, ClassId wanted, ClassId usual) {
  return static_cast<ClassId>(std::min<std::size_t>(counts.vocabulary().size(), wanted > 0 ? wanted : usual));
}

Clustering tree_of(const Counts& counts, ClassId classes, const RunOptions& run) {
  return cluster_auto(counts, {.classes = classes}, run).clustering;
}

/// Numbers on a logarithmic scale, with both ends.
std::vector<ClassId> spread(ClassId first, ClassId last, int per_doubling) {
  std::set<ClassId> numbers = {last};
  for (int i = 0;; ++i) {
    const auto number =
        static_cast<ClassId>(std::llround(first * std::exp2(static_cast<double>(i) / per_doubling)));
    if (number >= last) break;
    numbers.insert(number);
  }
  return {numbers.begin(), numbers.end()};
}

/// The highest score; the smaller number of equals.
ScoredNumber best_of(const std::vector<ScoredNumber>& numbers) {
  ScoredNumber best = numbers.front();
  for (const ScoredNumber& one : numbers) {
    if (one.score > best.score) best = one;
  }
  return best;
}

double v_measure(const GoldText& gold, const Clustering& classes, const RunOptions& run) {
  return score_against_gold(gold, classes, {.classes = 0}, run).tokens.v_measure;
}

/// Adds, or replaces, the scores of classes of their own for numbers around the best one.
void refine(const Counts& counts, const Clustering& tree, const GoldText& gold,
            std::vector<ScoredNumber>& numbers, const RunOptions& run) {
  const ClassId best = best_of(numbers).classes;
  std::set<ClassId> wanted;
  for (const double factor : {0.5, 0.7, 1.0, 1.4, 2.0}) {
    const auto number = static_cast<ClassId>(std::llround(best * factor));
    if (number >= kMinTags && number <= tree.class_count()) wanted.insert(number);
  }
  const std::vector<ClassId> sizes(wanted.begin(), wanted.end());
  const std::vector<Clustering> flat = refine_cuts(counts, tree, sizes, run);
  numbers.clear();
  for (std::size_t i = 0; i < flat.size(); ++i) numbers.push_back({sizes[i], v_measure(gold, flat[i], run)});
}

/// The smallest number, by rising numbers, whose difference from the best may be chance.
void find_enough(const std::vector<TagScore>& scores, const TagScore& best, ScoredChoice& choice,
                 std::uint64_t seed) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Bootstrap gain = gain_interval(best, scores[i], {.seed = seed});
    const ConfidenceInterval ahead = best.has_entities ? gain.f1 : gain.accuracy;
    if (ahead.low > 0) continue;
    choice.enough = choice.numbers[i].classes;
    choice.enough_text =
        fmt::format("not worse than the best beyond chance (95 %: {:+.2f} to {:+.2f} points)",
                    -100 * ahead.high, -100 * ahead.low);
    return;
  }
}

}  // namespace

ScoredChoice choose_by_tags(const Counts& counts, const GoldText& gold, ClassId max_classes,
                            const RunOptions& run) {
  const Clustering tree = tree_of(counts, limit_of(counts, max_classes, kMaxTags), run);
  ScoredChoice choice{.measure = "V-measure"};
  for (const ClassId number :
       spread(std::min(kMinTags, tree.class_count()), tree.class_count(), kCutsPerDoubling)) {
    run.check_stop();
    choice.numbers.push_back({number, v_measure(gold, tree.cut(number), run)});
  }
  refine(counts, tree, gold, choice.numbers, run);
  choice.best = best_of(choice.numbers);
  const auto enough =
      std::find_if(choice.numbers.begin(), choice.numbers.end(),
                   [&](const ScoredNumber& one) { return one.score >= kNearlyAsGood * choice.best.score; });
  choice.enough = enough->classes;
  choice.enough_text = "within 1 % of the best";
  return choice;
}

ScoredChoice choose_by_task(const Counts& counts, const TaggedTask& task, ClassId max_classes,
                            const RunOptions& run) {
  const Clustering tree = tree_of(counts, limit_of(counts, max_classes, kMaxTask), run);
  ScoredChoice choice;
  std::vector<TagScore> scores;
  for (const ClassId number : spread(std::min(kMinTask, tree.class_count()), tree.class_count(), 1)) {
    const TaggerKnowledge knowledge{.classes = {{tree.cut(number)}}};
    scores.push_back(score_tagger(train_tagger(task.train, {}, knowledge, run), task.dev, {}, run));
    const TagScore& score = scores.back();
    choice.measure = score.has_entities ? "F1" : "accuracy";
    choice.numbers.push_back({number, score.has_entities ? score.entities.f1() : score.accuracy()});
  }
  choice.best = best_of(choice.numbers);
  const auto place = std::find_if(choice.numbers.begin(), choice.numbers.end(), [&](const ScoredNumber& one) {
    return one.classes == choice.best.classes;
  });
  find_enough(scores, scores[static_cast<std::size_t>(place - choice.numbers.begin())], choice, run.seed);
  return choice;
}

std::string scored_choice_text(const ScoredChoice& choice) {
  std::string text = fmt::format(" classes  {}\n", choice.measure);
  for (const ScoredNumber& one : choice.numbers)
    text += fmt::format("{:>8}  {:.2f} %{}\n", grouped(one.classes), 100 * one.score,
                        one.classes == choice.best.classes ? "  *" : "");
  return text + fmt::format("{} classes are best ({} {:.2f} %); {} are {}\n", grouped(choice.best.classes),
                            choice.measure, 100 * choice.best.score, grouped(choice.enough),
                            choice.enough_text);
}

std::string scored_choice_json(const ScoredChoice& choice) {
  nlohmann::ordered_json json = {{"classes", choice.best.classes},
                                 {"by", choice.measure},
                                 {"score", choice.best.score},
                                 {"enough", choice.enough},
                                 {"numbers", nlohmann::ordered_json::array()}};
  for (const ScoredNumber& one : choice.numbers)
    json["numbers"].push_back({{"classes", one.classes}, {"score", one.score}});
  return json.dump(2) + "\n";
}

}  // namespace firth::cli
