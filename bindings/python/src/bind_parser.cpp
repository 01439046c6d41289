// Grammars with latent states, and parsing with them.
#include <pybind11/stl.h>

#include <firth/clustering.hpp>
#include <firth/error.hpp>
#include <firth/parser.hpp>
#include <firth/parseval.hpp>

#include "bindings.hpp"
#include "input.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "shared_work.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

void read_latent(OptionReader& reader, LatentOptions& latent) {
  reader.value("states", latent.states)
      .value("singular_cut", latent.singular_cut)
      .value("scale_features", latent.scale_features)
      .value("pseudo_count", latent.pseudo_count)
      .value("backoff", latent.backoff)
      .value("smooth_rules", latent.smooth_rules)
      .value("smooth_words", latent.smooth_words)
      .value("state_prior", latent.state_prior)
      .value("grammars", latent.grammars)
      .value("em_steps", latent.em_steps)
      .choice("em_start", latent.em_start, {{"cluster", EmStart::cluster}, {"random", EmStart::random}});
}

void read_binarize(OptionReader& reader, BinarizeOptions& binarize) {
  reader
      .choice("branching", binarize.branching,
              {{"left", TreeBranching::left}, {"right", TreeBranching::right}})
      .value("horizontal", binarize.horizontal)
      .value("vertical", binarize.vertical)
      .value("annotate_tags", binarize.annotate_tags)
      .value("annotate_between", binarize.annotate_between);
}

Lpcfg train(const Input& input, const py::dict& given, const RunArguments& run) {
  LpcfgTrainOptions options = recommended_training();
  std::string classes;
  OptionReader reader("Parser.train()", given);
  reader
      .choice("algorithm", options.algorithm,
              {{"pcfg", LpcfgAlgorithm::pcfg},
               {"spectral", LpcfgAlgorithm::spectral},
               {"cluster", LpcfgAlgorithm::cluster},
               {"em", LpcfgAlgorithm::em}})
      .value("sequences", options.sequences)
      .value("rare", options.lexicon.rare)
      .value("class_size", options.lexicon.class_size)
      .path("classes", classes);
  if (!classes.empty()) options.clusters = load_clustering(classes);
  read_latent(reader, options.latent);
  read_checkpoint_options(reader, options.checkpoint);
  read_binarize(reader, options.binarize);
  reader.finish();
  return run_result(run, input.feed.get(),
                    [&](const RunOptions& to) { return train_lpcfg(input.inputs, options, to); });
}

py::dict info(const Lpcfg& grammar) {
  const LpcfgInfo figures = grammar.info();
  py::dict result;
  result["phrases"] = figures.phrases;
  result["tags"] = figures.tags;
  result["states"] = figures.states;
  result["binary_rules"] = figures.binary_rules;
  result["lexical_rules"] = figures.lexical_rules;
  result["grammars"] = figures.grammars;
  result["parameters"] = figures.parameters;
  result["words"] = figures.words;
  result["classes"] = figures.classes;
  return result;
}

ParseOptions parse_options(const py::dict& given) {
  ParseOptions options;
  OptionReader reader("Parser.parse()", given);
  reader
      .choice("decoding", options.decoding,
              {{"brackets", ParseDecoding::brackets},
               {"max-marginal", ParseDecoding::max_marginal},
               {"viterbi", ParseDecoding::viterbi}})
      .value("prune", options.prune)
      .finish();
  return options;
}

const char* status_name(ParseStatus status) {
  if (status == ParseStatus::parsed) return "parsed";
  if (status == ParseStatus::coarse) return "coarse";
  return status == ParseStatus::flat ? "flat" : "empty";
}

using Sentence = std::vector<std::pair<std::string, std::string>>;

std::vector<ParserToken> tokens_of(const Sentence& sentence) {
  std::vector<ParserToken> tokens;
  for (const auto& [word, given_tag] : sentence) tokens.push_back({.word = word, .tag = given_tag});
  return tokens;
}

/// For every sentence of words and tags (empty = not given): the tree in brackets, how it came about, log probability.
py::list parse(const Lpcfg& grammar, const std::vector<Sentence>& sentences, const py::dict& given,
               const RunArguments& run) {
  const Parser parser(grammar, parse_options(given));
  std::vector<ParseResult> results(sentences.size());
  run_work(run, nullptr, [&](const RunOptions& to) {
    share_work(
        sentences.size(), to, [&] { return &parser; },
        [&](const Parser* each, std::size_t i) { results[i] = each->parse(tokens_of(sentences[i]), to); });
  });
  py::list list;
  for (const ParseResult& result : results) {
    list.append(
        py::make_tuple(to_str(format_tree(result.tree)), status_name(result.status), result.log_probability));
  }
  return list;
}

py::dict as_dict(const ParsevalScore& score) {
  py::dict result;
  result["sentences"] = score.sentences;
  result["errors"] = score.errors;
  result["skipped"] = score.skipped;
  result["recall"] = score.recall();
  result["precision"] = score.precision();
  result["f1"] = score.f1();
  result["exact_match"] = score.exact_match();
  result["mean_crossing"] = score.mean_crossing();
  result["tagging"] = score.tagging();
  return result;
}

py::dict score(const Input& gold, const Input& guess, std::uint32_t cutoff) {
  const ParsevalReport report = run_result({}, nullptr, [&](const RunOptions& to) {
    return score_parses(gold.inputs, guess.inputs, {.cutoff = cutoff}, {}, to);
  });
  py::dict result = as_dict(report.all);
  result["up_to_cutoff"] = as_dict(report.up_to_cutoff);
  return result;
}

}  // namespace

void bind_parser(py::module_& module) {
  py::class_<Lpcfg>(module, "Grammar", "A grammar with latent states.")
      .def_static("train", &train)
      .def("info", &info)
      .def("parse", &parse)
      .def("save", [](const Lpcfg& grammar, const py::object& path) { save_lpcfg(from_path(path), grammar); })
      .def("to_bytes", [](const Lpcfg& grammar) { return py::bytes(grammar.to_bytes()); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) { return Lpcfg::from_bytes(std::string_view(bytes)); })
      .def_static("load", [](const py::object& path) { return load_lpcfg(from_path(path)); });
  module.def("score_parses", &score);
}

}  // namespace firth::python
