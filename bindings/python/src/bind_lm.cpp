// Language models.
#include <pybind11/stl.h>

#include <cmath>
#include <firth/class_lm.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "input.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

void read_training(OptionReader& reader, LmTrainOptions& options) {
  reader.value("order", options.order)
      .choice("smoothing", options.smoothing,
              {{"kneser-ney", LmSmoothing::kneser_ney},
               {"witten-bell", LmSmoothing::witten_bell},
               {"none", LmSmoothing::none}})
      .choice("emission", options.emission,
              {{"discounted", LmEmission::discounted}, {"frequency", LmEmission::frequency}})
      .value("sentence_ends", options.boundaries);
  read_text_options(reader, options.text);
}

LanguageModel train_classes(const Input& input, const Clustering& classes, const py::dict& given,
                            const RunArguments& run) {
  LmTrainOptions options;
  OptionReader reader("a class model", given);
  read_training(reader, options);
  reader.finish();
  return run_result(run, input.feed.get(),
                    [&](const RunOptions& to) { return train_class_lm(input.inputs, classes, options, to); });
}

/// With classes, over their words.
LanguageModel train_words(const Input& input, const Clustering* classes, const py::dict& given,
                          const RunArguments& run) {
  LmTrainOptions options;
  VocabularyOptions vocabulary;
  OptionReader reader("a word model", given);
  read_training(reader, options);
  read_vocabulary_options(reader, vocabulary);
  reader.finish();
  return run_result(run, input.feed.get(), [&](const RunOptions& to) {
    if (classes != nullptr) return train_word_lm(input.inputs, classes->vocabulary(), options, to);
    return train_word_lm(input.inputs, vocabulary, options, to);
  });
}

py::dict as_dict(const LmScore& score) {
  py::dict result;
  result["sentences"] = score.sentences;
  result["words"] = score.words;
  result["unknown"] = score.unknown;
  result["impossible"] = score.impossible;
  result["log10_known"] = score.log10_known;
  result["log10_unknown"] = score.log10_unknown;
  result["perplexity"] = score.perplexity();
  result["perplexity_with_unknown"] = score.perplexity_with_unknown();
  result["perplexity_per_word"] = score.perplexity_per_word();
  return result;
}

void add_accuracy(const LmScore& score, py::dict& result) {
  const auto share = [&score](std::uint64_t right) {
    return score.predictions == 0 ? 0.0 : static_cast<double>(right) / static_cast<double>(score.predictions);
  };
  result["class_accuracy"] = share(score.right_class);
  for (std::size_t i = 0; i < kAccuracyDepths.size(); ++i) {
    result[py::str("accuracy_at_" + std::to_string(kAccuracyDepths[i]))] = share(score.right_word[i]);
  }
}

/// The sum, and log10 of the probability of every line.
py::tuple score(const LanguageModel& model, const Input& input, const py::dict& given,
                const RunArguments& run) {
  LmScoreOptions options;
  OptionReader reader("score()", given);
  reader.value("accuracy", options.accuracy);
  read_text_options(reader, options.text);
  reader.finish();
  std::vector<double> lines;
  const auto keep = [&lines](const LmScore& line) { lines.push_back(line.log10_known + line.log10_unknown); };
  const LmScore sum = run_result(run, input.feed.get(), [&](const RunOptions& to) {
    return score_text(model, input.inputs, options, keep, to);
  });
  py::dict result = as_dict(sum);
  if (options.accuracy) add_accuracy(sum, result);
  return py::make_tuple(result, array_of(std::move(lines)));
}

LmState state_after(const LanguageModel& model, const std::vector<std::string>& words) {
  LmState state = model.begin_sentence();
  for (const std::string& word : words) model.advance(state, model.find(word));
  return state;
}

/// log10 of the probability of every word and, where the model has ends, of the end.
py::array log10_of(const LanguageModel& model, const std::vector<std::string>& words) {
  LmState state = model.begin_sentence();
  std::vector<double> values;
  for (const std::string& word : words) values.push_back(std::log10(model.advance(state, model.find(word))));
  if (model.has_boundaries()) values.push_back(std::log10(model.probability(state, LanguageModel::kEnd)));
  return array_of(std::move(values));
}

py::list suggest(const LanguageModel& model, const std::vector<std::string>& words, std::size_t count) {
  py::list list;
  for (const LmWord& word : model.suggest(state_after(model, words), count)) {
    list.append(py::make_tuple(to_str(model.word(word.word)), word.probability));
  }
  return list;
}

py::list sample(const LanguageModel& model, std::size_t count, std::size_t max_words, std::uint64_t seed) {
  LmSampler sampler(model, seed);
  py::list sentences;
  for (std::size_t i = 0; i < count; ++i) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    py::list words;
    for (const WordId word : sampler.sentence(max_words)) words.append(to_str(model.word(word)));
    sentences.append(words);
  }
  return sentences;
}

py::list words_of(const LanguageModel& model) {
  py::list list(model.word_count());
  for (std::size_t i = 0; i < model.word_count(); ++i) list[i] = to_str(model.word(static_cast<WordId>(i)));
  return list;
}

py::list parts_of(const LanguageModel& model) {
  py::list list;
  for (const LmPart& part : model.parts()) {
    py::dict entry;
    entry["weight"] = part.weight;
    entry["order"] = part.order;
    entry["classes"] = part.classes;
    entry["symbols"] = part.symbols;
    entry["ngrams"] = part.ngrams;
    list.append(entry);
  }
  return list;
}

/// Weights and the perplexity of every round.
py::tuple tune(const std::vector<LanguageModel>& models, const Input& held_out, const py::dict& given,
               const RunArguments& run) {
  const TextOptions text = text_options(given);
  const LmMixResult result = run_result(run, held_out.feed.get(), [&](const RunOptions& to) {
    return tune_weights(models, held_out.inputs, text, to);
  });
  return py::make_tuple(result.weights, result.perplexities);
}

LanguageModel load(const py::object& path, const std::string& classes, const RunArguments& run) {
  const std::string name = from_path(path);
  return run_result(run, nullptr, [&](const RunOptions& to) { return load_lm(name, classes, to); });
}

void map_words(const LanguageModel& model, const py::object& path, const Input& input, const py::dict& given,
               const RunArguments& run) {
  const std::string name = from_path(path);
  const TextOptions text = text_options(given);
  run_work(run, input.feed.get(),
           [&](const RunOptions& to) { map_text(name, input.inputs, model, text, to); });
}

}  // namespace

void bind_lm(py::module_& module) {
  py::class_<LanguageModel>(module, "LanguageModel", "p(word | words before it).")
      .def_static("train_classes", &train_classes)
      .def_static("train_words", &train_words, py::arg("input"), py::arg("classes").none(true),
                  py::arg("options"), py::arg("run"))
      .def("preprocessing", [](const LanguageModel& model) { return as_options(model.preprocessing()); })
      .def("score", &score)
      .def("log10", &log10_of)
      .def("suggest", &suggest)
      .def("sample", &sample)
      .def("words", &words_of)
      .def("parts", &parts_of)
      .def("order", &LanguageModel::order)
      .def("has_classes", &LanguageModel::has_classes)
      .def("knows", [](const LanguageModel& model,
                       const std::string& word) { return model.find(word) != LanguageModel::kUnknown; })
      .def("class_name",
           [](const LanguageModel& model, const std::string& word) {
             return to_str(model.class_name(model.class_of(model.find(word))));
           })
      .def("save",
           [](const LanguageModel& model, const py::object& path) { save_lm(from_path(path), model); })
      .def("save_arpa",
           [](const LanguageModel& model, const py::object& path) { save_arpa(from_path(path), model); })
      .def("save_classes", [](const LanguageModel& model,
                              const py::object& path) { save_srilm_classes(from_path(path), model); })
      .def("save_expanded",
           [](const LanguageModel& model, const py::object& path, double threshold, const RunArguments& run) {
             const std::string name = from_path(path);
             run_work(run, nullptr,
                      [&](const RunOptions& to) { save_expanded_arpa(name, model, threshold, to); });
           })
      .def("map_text", &map_words)
      .def("to_bytes", [](const LanguageModel& model) { return py::bytes(model.to_bytes()); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) { return LanguageModel::from_bytes(std::string_view(bytes)); })
      .def_static("load", &load);
  module.def("tune_weights", &tune);
  module.def("mix_models", [](const std::vector<LanguageModel>& models, const std::vector<double>& weights) {
    return mix_models(models, weights);
  });
}

}  // namespace firth::python
