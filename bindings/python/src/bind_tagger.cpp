// Taggers.
#include <pybind11/stl.h>

#include <firth/error.hpp>
#include <firth/tag_scores.hpp>
#include <firth/tagger.hpp>

#include "bindings.hpp"
#include "input.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "shared_work.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

using Sentences = std::vector<std::vector<std::string>>;

void read_token_options(OptionReader& reader, TokenOptions& tokens) {
  reader
      .choice("format", tokens.format,
              {{"auto", TokenFormat::automatic},
               {"text", TokenFormat::text},
               {"columns", TokenFormat::columns},
               {"conllu", TokenFormat::conllu}})
      .value("word_column", tokens.word_column)
      .value("tag_column", tokens.tag_column)
      .choice("invalid_utf8", tokens.invalid_utf8,
              {{"error", InvalidUtf8::error}, {"replace", InvalidUtf8::replace}});
}

std::vector<TaggedSentence> tagged(const Sentences& words, const Sentences& tags) {
  if (words.size() != tags.size()) throw UsageError("as many sentences of words as of tags are needed");
  std::vector<TaggedSentence> sentences(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() != tags[i].size()) {
      throw InputError({.path = "sentences", .line = i + 1},
                       "item " + std::to_string(i + 1) + " has " + std::to_string(words[i].size()) +
                           " words and " + std::to_string(tags[i].size()) + " tags");
    }
    sentences[i] = {.words = words[i], .tags = tags[i], .path = "sentences", .lines = {}};
    sentences[i].lines.assign(words[i].size(), i + 1);
  }
  return sentences;
}

/// Sentences of a file, as lists of words and of tags.
py::tuple read_sentences(const Input& input, const py::dict& given, const RunArguments& run) {
  TokenOptions options;
  OptionReader reader("tagged text", given);
  read_token_options(reader, options);
  reader.finish();
  const std::vector<TaggedSentence> sentences = run_result(
      run, input.feed.get(), [&](const RunOptions& to) { return read_tagged(input.inputs, options, to); });
  py::list words;
  py::list tags;
  for (const TaggedSentence& sentence : sentences) {
    words.append(to_list(sentence.words));
    tags.append(to_list(sentence.tags));
  }
  return py::make_tuple(words, tags);
}

TaggerKnowledge knowledge_from(OptionReader& reader) {
  TaggerKnowledge knowledge;
  ClassFeatureOptions features;
  reader.value("prefixes", features.prefixes)
      .value("full", features.full)
      .value("cuts", features.cuts)
      .choice("unknown", features.unknown,
              {{"spelling", UnknownWordClass::spelling},
               {"lowercase", UnknownWordClass::lowercase},
               {"none", UnknownWordClass::none}});
  const py::object classes = reader.take("classes");
  if (!classes.is_none()) {
    for (const py::handle& item : classes)
      knowledge.classes.push_back({py::cast<const Clustering&>(item), features});
  }
  const py::object vectors = reader.take("vectors");
  if (!vectors.is_none()) {
    for (const py::handle& item : vectors) knowledge.vectors.push_back(py::cast<const WordVectors&>(item));
  }
  return knowledge;
}

Tagger train(const Sentences& words, const Sentences& tags, const py::dict& given, const RunArguments& run) {
  TaggerOptions options;
  OptionReader reader("a tagger", given);
  reader
      .choice("scheme", options.scheme,
              {{"auto", TagScheme::automatic},
               {"plain", TagScheme::plain},
               {"bio", TagScheme::bio},
               {"bilou", TagScheme::bilou}})
      .choice("recipe", options.recipe,
              {{"best", TagRecipe::best}, {"fast", TagRecipe::fast}, {"small", TagRecipe::small}})
      .choice("objective", options.objective,
              {{"auto", TagObjective::automatic},
               {"crf", TagObjective::crf},
               {"perceptron", TagObjective::perceptron}})
      .value("passes", options.passes)
      .value("trainings", options.trainings)
      .value("beam", options.beam)
      .value("recall_cost", options.recall_cost)
      .value("min_weight", options.min_weight)
      .value("vector_length", options.vector_length);
  const TaggerKnowledge knowledge = knowledge_from(reader);
  reader.finish();
  const std::vector<TaggedSentence> sentences = tagged(words, tags);
  return run_result(run, nullptr,
                    [&](const RunOptions& to) { return train_tagger(sentences, options, knowledge, to); });
}

TagScheme scheme_from(const std::string& name) {
  if (name == "auto") return TagScheme::automatic;
  if (name == "bio") return TagScheme::bio;
  if (name == "bilou") return TagScheme::bilou;
  if (name == "io") return TagScheme::io;
  throw UsageError("scheme cannot be '" + name + "'", "use one of auto, bio, bilou, io");
}

py::list tag(const Tagger& tagger, const Sentences& sentences, const std::string& scheme, int beam,
             const RunArguments& run) {
  const TagScheme written = scheme_from(scheme);
  Sentences tags(sentences.size());
  run_work(run, nullptr, [&](const RunOptions& to) {
    share_work(
        sentences.size(), to, [&] { return TagSession(tagger, {.beam = beam}); },
        [&](TagSession& session, std::size_t i) {
          const std::vector<std::string_view> words(sentences[i].begin(), sentences[i].end());
          session.tag_names(words, written, tags[i]);
        });
  });
  py::list result(tags.size());
  for (std::size_t i = 0; i < tags.size(); ++i) result[i] = to_list(tags[i]);
  return result;
}

py::dict as_dict(const EntityCounts& counts) {
  py::dict result;
  result["gold"] = counts.gold;
  result["guessed"] = counts.guessed;
  result["right"] = counts.right;
  result["precision"] = counts.precision();
  result["recall"] = counts.recall();
  result["f1"] = counts.f1();
  return result;
}

py::dict score(const Tagger& tagger, const Sentences& words, const Sentences& tags, int samples,
               const RunArguments& run) {
  const std::vector<TaggedSentence> gold = tagged(words, tags);
  const TagScore score =
      run_result(run, nullptr, [&](const RunOptions& to) { return score_tagger(tagger, gold, {}, to); });
  py::dict result;
  result["words"] = score.words;
  result["accuracy"] = score.accuracy();
  result["unknown_words"] = score.unknown_words;
  result["unknown_accuracy"] = score.unknown_accuracy();
  if (score.has_entities) {
    result["entities"] = as_dict(score.entities);
    py::dict types;
    for (const auto& [name, counts] : score.types) types[to_str(name)] = as_dict(counts);
    result["types"] = types;
  }
  if (samples > 0) {
    const Bootstrap intervals = bootstrap(score, {.samples = samples, .seed = run.seed});
    result["accuracy_interval"] = py::make_tuple(intervals.accuracy.low, intervals.accuracy.high);
    if (score.has_entities) result["f1_interval"] = py::make_tuple(intervals.f1.low, intervals.f1.high);
  }
  return result;
}

py::list tag_names(const Tagger& tagger) {
  py::list names;
  for (std::size_t i = 0; i < tagger.tag_count(); ++i)
    names.append(to_str(tagger.tag_name(static_cast<TagId>(i))));
  return names;
}

}  // namespace

void bind_tagger(py::module_& module) {
  py::class_<Tagger>(module, "Tagger", "A trained tagger.")
      .def_static("train", &train)
      .def("tag", &tag)
      .def("score", &score)
      .def("tags", &tag_names)
      .def("beam", &Tagger::beam)
      .def("n_features", &Tagger::feature_count)
      .def("knows", [](const Tagger& tagger, const std::string& word) { return tagger.knows(word); })
      .def("save", [](const Tagger& tagger, const py::object& path) { save_tagger(from_path(path), tagger); })
      .def("to_bytes", [](const Tagger& tagger) { return py::bytes(tagger.to_bytes()); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) { return Tagger::from_bytes(std::string_view(bytes)); })
      .def_static("load", [](const py::object& path) { return load_tagger(from_path(path)); });
  module.def("read_tagged", &read_sentences);
}

}  // namespace firth::python
