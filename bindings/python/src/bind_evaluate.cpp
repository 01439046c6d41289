// Scores of clusterings.
#include <pybind11/stl.h>

#include <firth/choose.hpp>
#include <firth/compare.hpp>
#include <firth/evaluate.hpp>
#include <firth/gold_tags.hpp>

#include "bindings.hpp"
#include "input.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

UnknownWords unknown_from(bool as_unk) {
  return as_unk ? UnknownWords::as_unk : UnknownWords::leave_out;
}

py::dict as_dict(const SizeSummary& sizes) {
  py::dict result;
  result["min"] = sizes.min;
  result["median"] = sizes.median;
  result["mean"] = sizes.mean;
  result["max"] = sizes.max;
  return result;
}

py::dict as_dict(const ClusteringReport& report) {
  py::dict result;
  result["words"] = report.words;
  result["classes"] = report.classes;
  result["singletons"] = report.singletons;
  result["words_per_class"] = as_dict(report.class_words);
  result["tokens_per_class"] = as_dict(report.class_tokens);
  if (!report.text) return result;
  result["ami_bits"] = report.text->ami_bits;
  result["ami_tokens_bits"] = report.text->ami_tokens_bits;
  result["ami_unigram_bits"] = py::cast(report.text->ami_unigram_bits);
  result["type_coverage"] = report.text->types.share();
  result["token_coverage"] = report.text->tokens.share();
  result["bigram_coverage"] = report.text->bigrams.share();
  return result;
}

py::dict as_dict(const TagAgreement& scores) {
  py::dict result;
  result["many_to_one"] = scores.many_to_one;
  result["one_to_one_greedy"] = scores.one_to_one_greedy;
  result["one_to_one"] = scores.one_to_one;
  result["vi_bits"] = scores.vi_bits;
  result["nvi"] = scores.nvi;
  result["v_measure"] = scores.v_measure;
  result["homogeneity"] = scores.homogeneity;
  result["completeness"] = scores.completeness;
  result["prototype"] = scores.prototype;
  return result;
}

py::list tag_rows(const std::vector<TagRow>& rows) {
  py::list list;
  for (const TagRow& row : rows) {
    py::dict entry;
    entry["tag"] = to_str(row.tag);
    entry["tokens"] = row.tokens;
    entry["classes"] = row.classes;
    entry["precision"] = row.precision();
    entry["recall"] = row.recall();
    entry["f1"] = row.f1();
    list.append(entry);
  }
  return list;
}

void add_intervals(py::dict& result, const char* name, const std::optional<ScoreIntervals>& intervals) {
  if (intervals) result[name] = py::make_tuple(as_dict(intervals->low), as_dict(intervals->high));
}

py::dict as_dict(const GoldReport& report) {
  py::dict result;
  result["gold_tokens"] = report.token_count;
  result["known_tokens"] = report.known_tokens;
  result["gold_classes"] = report.class_count;
  result["gold_tags"] = report.tag_count;
  result["by_token"] = as_dict(report.tokens);
  result["by_type"] = as_dict(report.types);
  result["upper_bound"] = report.upper_bound;
  result["tags"] = tag_rows(report.tags);
  add_intervals(result, "by_token_interval", report.token_intervals);
  add_intervals(result, "by_type_interval", report.type_intervals);
  return result;
}

py::dict describe(const Clustering& clustering, const Counts* counts, bool as_unk) {
  const ReportOptions options = {.unknown = unknown_from(as_unk), .classes = 0, .words = 0};
  ClusteringReport report;
  {
    const py::gil_scoped_release release;
    report = counts == nullptr ? describe_clustering(clustering, options)
                               : evaluate_clustering(clustering, *counts, options);
  }
  return as_dict(report);
}

/// What gold tags are compared with, and how.
py::dict score_gold(const Clustering& clustering, const Input& gold, const py::dict& given,
                    const RunArguments& run) {
  GoldTextOptions reading;
  GoldOptions scoring;
  bool as_unk = true;
  OptionReader reader("evaluate()", given);
  reader.choice("tag", reading.tag, {{"upos", TagColumn::upos}, {"xpos", TagColumn::xpos}})
      .value("lowercase", reading.lowercase)
      .value("bootstrap", scoring.resamples)
      .value("as_unk", as_unk);
  read_normalization(reader, reading.normalize);
  reader.finish();
  scoring.unknown = unknown_from(as_unk);
  return as_dict(run_result(run, gold.feed.get(), [&](const RunOptions& to) {
    return score_against_gold(read_tagged_text(gold.inputs, reading, to), clustering, scoring, to);
  }));
}

double perplexity(const Clustering& clustering, const Counts& counts, const Counts& other) {
  const py::gil_scoped_release release;
  return held_out_perplexity(clustering, counts, other).perplexity;
}

py::dict as_dict(const PartitionAgreement& agreement) {
  py::dict result;
  result["vi_bits"] = agreement.vi_bits;
  result["v_measure"] = agreement.v_measure;
  result["adjusted_rand"] = agreement.adjusted_rand;
  return result;
}

py::dict compare(const Clustering& first, const Clustering& second) {
  ClusteringAgreement agreement;
  {
    const py::gil_scoped_release release;
    agreement = compare_clusterings(first, second);
  }
  py::list moved;
  for (const WordId word : agreement.moved) moved.append(to_str(first.vocabulary().word(word)));
  py::dict result;
  result["common"] = agreement.common;
  result["only_first"] = agreement.only_first;
  result["only_second"] = agreement.only_second;
  result["by_token"] = as_dict(agreement.tokens);
  result["by_type"] = as_dict(agreement.types);
  result["moved"] = moved;
  return result;
}

py::list points(const std::vector<ChoicePoint>& points) {
  py::list list;
  for (const ChoicePoint& point : points) list.append(py::make_tuple(point.classes, point.perplexity));
  return list;
}

const char* judge_name(HeldOutKind judge) {
  if (judge == HeldOutKind::pairs) return "pairs";
  return judge == HeldOutKind::blocks ? "blocks" : "text";
}

py::dict choose(const Counts& counts, const py::dict& given, const RunArguments& run) {
  ChooseOptions options;
  OptionReader reader("choose()", given);
  const py::object other = reader.take("other");
  reader.value("held_out", options.held_out).value("max_classes", options.max_classes).finish();
  const Counts* held_out = other.is_none() ? nullptr : py::cast<const Counts*>(other);
  const ClassChoice choice = run_result(run, nullptr, [&](const RunOptions& to) {
    return held_out == nullptr ? choose_classes(counts, options, to)
                               : choose_classes_for(counts, *held_out, options, to);
  });
  py::dict result;
  result["n_classes"] = choice.classes;
  result["perplexity"] = choice.perplexity;
  result["judged_by"] = judge_name(choice.judge);
  result["held_out_pairs"] = choice.held_out;
  result["at_limit"] = choice.at_limit;
  py::dict within;
  for (const int percent : {1, 3, 10}) within[py::int_(percent)] = choice.smallest_within(percent / 100.0);
  result["within_percent"] = within;
  result["cuts"] = points(choice.cuts);
  result["refined"] = points(choice.refined);
  return result;
}

}  // namespace

void bind_evaluate(py::module_& module) {
  module.def("describe", &describe, py::arg("clustering"), py::arg("counts").none(true), py::arg("as_unk"));
  module.def("score_gold", &score_gold);
  module.def("perplexity", &perplexity);
  module.def("compare", &compare);
  module.def("choose", &choose);
}

}  // namespace firth::python
