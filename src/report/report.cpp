#include "firth/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cluster/merge_tree.hpp"
#include "firth/build_info.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "firth/files.hpp"
#include "report/neighbours.hpp"
#include "report/page_places.hpp"
#include "report/page_template.hpp"
#include "report/typicality.hpp"

namespace firth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNeighbours = 10;
constexpr std::size_t kCloseClasses = 6;
constexpr std::size_t kPlainWords = 1000;

/// The most frequent words, and the first word of each class.
Clustering frequent_words_of(const Clustering& all, std::uint64_t max_words) {
  if (max_words == 0 || all.word_count() <= max_words) return all;
  std::vector<std::pair<std::string, Count>> words;
  std::vector<ClassId> classes;
  std::vector<bool> seen(all.class_count());
  for (WordId word = 0; word < all.word_count(); ++word) {
    const ClassId id = all.class_of(word);
    if (word >= max_words && seen[id]) continue;
    seen[id] = true;
    words.emplace_back(all.vocabulary().word(word), all.vocabulary().count(word));
    classes.push_back(id);
  }
  std::optional<MergeTree> tree = all.tree();
  if (tree && tree->kind == TreeLeaves::words) {
    const std::size_t merges = tree->leaves - all.class_count();
    tree = clusters::upper_part(*tree, merges, clusters::nodes_after(*tree, merges), all.classes());
  }
  return {Vocabulary::from_words(std::move(words)), classes, std::move(tree)};
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parsed_run(const std::string& text) {
  if (text.empty()) return nullptr;
  Json run = Json::parse(text, nullptr, false);
  if (run.is_discarded())
    throw UsageError("the record of the run is not JSON", "give the content of run.json");
  return run;
}

Json coverage_json(const TextCoverage& coverage) {
  return {coverage.covered, coverage.total};
}

Json text_json(const Clustering& clustering, const Counts& counts) {
  const ClusteringReport scores = evaluate_clustering(clustering, counts, {.classes = 0, .words = 0});
  return {{"ami_bits", scores.text->ami_bits},
          {"bigrams", counts.bigrams().total()},
          {"types_known", coverage_json(scores.text->types)},
          {"tokens_known", coverage_json(scores.text->tokens)},
          {"bigrams_known", coverage_json(scores.text->bigrams)}};
}

/// Tags of each class, most frequent first: [tag, count, tag, count, ...] by place.
Json gold_json(const Clustering& clustering, const report::PagePlaces& places, const GoldText& gold) {
  const std::vector<ClassId> classes = classes_for(gold.vocabulary, clustering, UnknownWords::as_unk);
  std::vector<std::vector<Count>> table(places.class_count(), std::vector<Count>(gold.tags.size()));
  Count known = 0;
  for (std::size_t token = 0; token < gold.tokens(); ++token) {
    const ClassId id = classes[gold.words[token]];
    if (id == kNoClass) continue;
    ++known;
    ++table[places.class_place[id]][gold.tag_of[token]];
  }
  Json rows = Json::array();
  for (const std::vector<Count>& counts : table) {
    Json row = Json::array();
    for (std::size_t tag = 0; tag < counts.size(); ++tag) {
      if (counts[tag] > 0) row.insert(row.end(), {Json(tag), Json(counts[tag])});
    }
    rows.push_back(std::move(row));
  }
  return {{"tags", gold.tags}, {"tokens", gold.tokens()}, {"known", known}, {"rows", std::move(rows)}};
}

/// The lines of each class, by place: [place of the word, before, after].
Json lines_json(const Clustering& all, const Clustering& shown, const report::PagePlaces& places,
                const std::vector<ConcordanceLine>& lines) {
  Json lists = Json::array();
  for (std::uint32_t place = 0; place < places.class_count(); ++place) lists.push_back(Json::array());
  const WordIndex index(shown.vocabulary());
  for (const ConcordanceLine& line : lines) {
    if (line.word >= all.word_count()) throw UsageError("a line of text is about a word that is not there");
    const std::optional<WordId> word = index.find(all.vocabulary().word(line.word));
    if (!word) continue;
    lists[places.class_place[shown.class_of(*word)]].push_back(
        {places.word_place[*word], line.before, line.after});
  }
  return lists;
}

/// One more than the class in the other clustering, 0 = it does not have the word.
std::string pack_other(const Clustering& clustering, const report::PagePlaces& places,
                       const Clustering& other) {
  const std::vector<ClassId> classes = classes_for(clustering.vocabulary(), other);
  std::string bytes;
  for (const WordId word : places.order.words)
    clusters::put_varint(bytes, classes[word] == kNoClass ? 0 : std::uint64_t{classes[word]} + 1);
  return bytes;
}

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string summary_of(const Clustering& clustering) {
  return fmt::format("{} classes of {} words", grouped(clustering.class_count()),
                     grouped(clustering.word_count()));
}

Json meta_json(const Clustering& all, const Clustering& shown, const report::PagePlaces& places,
               const ReportContents& contents) {
  Json meta = {{"title", contents.title.empty() ? "Word classes" : contents.title},
               {"version", build_info().version},
               {"left_out", all.word_count() - shown.word_count()},
               {"run", parsed_run(contents.run_json)}};
  if (contents.counts != nullptr) meta["text"] = text_json(all, *contents.counts);
  if (contents.gold != nullptr) meta["gold"] = gold_json(shown, places, *contents.gold);
  if (contents.other != nullptr) {
    meta["other"] = {{"name", contents.other_name},
                     {"classes", contents.other->class_count()},
                     {"words", contents.other->word_count()}};
  }
  if (contents.vectors != nullptr) meta["typicality"] = "cosine";
  return meta;
}

}  // namespace

std::string build_report(const Clustering& clustering, const ReportContents& contents,
                         const RunOptions& run) {
  const Clustering shown = frequent_words_of(clustering, contents.max_words);
  const report::PagePlaces places(shown);
  const Json meta = meta_json(clustering, shown, places, contents);
  std::vector<clusters::PageSection> sections = clusters::pack_clustering(shown, places.order);
  sections.push_back({"META", dumped(meta)});
  run.check_stop();
  if (contents.counts != nullptr)
    sections.push_back({"NBRS", report::pack_neighbours(shown, places, *contents.counts, kNeighbours, run)});
  if (contents.vectors != nullptr) {
    sections.push_back({"TYPI", report::pack_typicality(shown, places, *contents.vectors)});
    sections.push_back({"NEAR", report::pack_close_classes(shown, places, *contents.vectors, kCloseClasses)});
  } else if (contents.counts != nullptr) {
    sections.push_back({"TYPI", report::pack_typicality(shown, places, *contents.counts)});
  }
  if (!contents.lines.empty())
    sections.push_back({"CONC", dumped(lines_json(clustering, shown, places, contents.lines))});
  if (contents.other != nullptr) sections.push_back({"OTHR", pack_other(shown, places, *contents.other)});
  run.check_stop();
  return report::fill_template({.title = meta["title"].get<std::string>(),
                                .summary = summary_of(shown),
                                .plain = report::plain_list(shown, kPlainWords),
                                .data = clusters::encode_sections(sections)});
}

void save_report(const std::string& path, const std::string& page) {
  save_text(path, page);
}

}  // namespace firth
