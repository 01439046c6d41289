// Hidden Markov models.
#include <pybind11/stl.h>

#include <firth/hmm.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "input.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"
#include "vocabulary.hpp"

namespace firth::python {
namespace {

HmmOptions options_from(const py::dict& given) {
  HmmOptions options;
  OptionReader reader("Hmm.train()", given);
  reader
      .choice("algorithm", options.algorithm,
              {{"em", HmmAlgorithm::em},
               {"vb", HmmAlgorithm::vb},
               {"gibbs", HmmAlgorithm::gibbs},
               {"sparse", HmmAlgorithm::sparse}})
      .value("n_states", options.states)
      .value("iterations", options.iterations)
      .value("tolerance", options.tolerance)
      .value("restarts", options.restarts)
      .value("transition_prior", options.transition_prior)
      .value("emission_prior", options.emission_prior)
      .value("sigma", options.sparse.sigma)
      .value("min_count", options.vocabulary.min_count)
      .value("max_vocab", options.vocabulary.max_vocab);
  read_text_options(reader, options.text);
  read_checkpoint_options(reader, options.checkpoint);
  reader.finish();
  return options;
}

/// The model, and what each iteration reached.
py::tuple train(const Input& input, const py::dict& given, const RunArguments& run) {
  const HmmOptions options = options_from(given);
  HmmResult result = run_result(run, input.feed.get(),
                                [&](const RunOptions& to) { return train_hmm(input.inputs, options, to); });
  return py::make_tuple(py::cast(std::move(result.model)), result.objective);
}

/// The states of all sentences, one after the other, and where each ends.
py::tuple tag(const HmmModel& model, const Input& input, const std::string& decoding, const py::dict& given,
              const RunArguments& run) {
  const TextOptions text = text_options(given);
  const HmmDecoding chosen = decoding == "posterior" ? HmmDecoding::posterior : HmmDecoding::viterbi;
  std::vector<std::uint32_t> states;
  std::vector<std::uint64_t> ends;
  const StateSink keep = [&](std::span<const std::string_view>, std::span<const std::uint32_t> found) {
    states.insert(states.end(), found.begin(), found.end());
    ends.push_back(states.size());
  };
  run_work(run, input.feed.get(), [&](const RunOptions& to) {
    decode_text(model, input.inputs, {chosen, text}, keep, to);
  });
  return py::make_tuple(array_of(std::move(states)), array_of(std::move(ends)));
}

double log_likelihood(const HmmModel& model, const Input& input, const py::dict& given,
                      const RunArguments& run) {
  const TextOptions text = text_options(given);
  return run_result(run, input.feed.get(),
                    [&](const RunOptions& to) { return hmm_log_likelihood(model, input.inputs, text, to); });
}

py::array transitions(const py::object& self) {
  const auto& model = py::cast<const HmmModel&>(self);
  const py::ssize_t size = model.states + 1;
  return view_of(std::span<const double>(model.transitions), {size, size}, self);
}

py::array emissions(const py::object& self) {
  const auto& model = py::cast<const HmmModel&>(self);
  return view_of(std::span<const double>(model.emissions),
                 {static_cast<py::ssize_t>(model.vocabulary.size()), static_cast<py::ssize_t>(model.states)},
                 self);
}

}  // namespace

void bind_hmm(py::module_& module) {
  py::class_<HmmModel>(module, "Hmm", "States that follow one another and emit words.")
      .def_static("train", &train)
      .def("preprocessing", [](const HmmModel& model) { return as_options(model.preprocessing); })
      .def("tag", &tag)
      .def("log_likelihood", &log_likelihood)
      .def("words", [](const HmmModel& model) { return Words(model.vocabulary); })
      .def("n_states", [](const HmmModel& model) { return model.states; })
      .def("transitions", &transitions)
      .def("emissions", &emissions)
      .def("save", [](const HmmModel& model, const py::object& path) { save_hmm(from_path(path), model); })
      .def("to_bytes", [](const HmmModel& model) { return py::bytes(model.to_bytes()); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) { return HmmModel::from_bytes(std::string_view(bytes)); })
      .def_static("load", [](const py::object& path) { return load_hmm(from_path(path)); });
}

}  // namespace firth::python
