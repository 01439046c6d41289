#include "methods.hpp"

#include <firth/class_sizes.hpp>
#include <firth/clustering.hpp>
#include <firth/constraints.hpp>
#include <firth/embed.hpp>
#include <firth/error.hpp>
#include <variant>

#include "options.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

/// A file of constraints.
void read_constraints(OptionReader& reader, Constraints& constraints) {
  std::string path;
  reader.path("constraints", path);
  if (!path.empty()) constraints = load_constraints(path);
}

/// "max=500", "equal" and so on.
void read_sizes(OptionReader& reader, ClassSizes& sizes) {
  std::string text;
  reader.value("class_size", text);
  if (!text.empty()) sizes = parse_class_sizes(text);
}

/// What auto and exchange have in common.
template <class Options>
void read_search(OptionReader& reader, Options& options) {
  read_constraints(reader, options.constraints);
  read_sizes(reader, options.sizes);
  reader.value("line_ends", options.boundaries)
      .value("size_weight", options.size_weight)
      .value("tree", options.tree)
      .value("max_seconds", options.limits.max_seconds)
      .path("checkpoint", options.limits.checkpoint_file)
      .value("checkpoint_seconds", options.limits.checkpoint_seconds)
      .value("resume", options.limits.resume);
}

void read(OptionReader& reader, AutoOptions& options) {
  reader.choice("effort", options.effort,
                {{"fast", SearchEffort::fast},
                 {"normal", SearchEffort::normal},
                 {"high", SearchEffort::high},
                 {"max", SearchEffort::max}});
  read_search(reader, options);
}

void read(OptionReader& reader, ExchangeOptions& options) {
  reader.choice("init", options.init,
                {{"frequency", ExchangeInit::frequency},
                 {"modulo", ExchangeInit::modulo},
                 {"random", ExchangeInit::random}});
  const py::object start = reader.take("start");
  if (!start.is_none()) {
    options.init = ExchangeInit::given;
    options.start = py::cast<const Clustering&>(start);
  }
  reader.value("passes", options.passes)
      .value("tolerance", options.tolerance)
      .value("restarts", options.restarts);
  read_search(reader, options);
}

/// A window of Brown's method: a number or "all".
void read_window(OptionReader& reader, std::uint64_t& window) {
  const py::object given = reader.take("window");
  if (given.is_none()) return;
  if (py::isinstance<py::str>(given) && py::cast<std::string>(given) == "all") {
    window = kWholeVocabulary;
    return;
  }
  reader.value("window", window);
}

void read(OptionReader& reader, BrownOptions& options) {
  read_window(reader, options.window);
  read_constraints(reader, options.constraints);
  reader.value("line_ends", options.boundaries)
      .choice("variant", options.variant,
              {{"plain", BrownVariant::plain},
               {"allsame", BrownVariant::allsame},
               {"resort", BrownVariant::resort}})
      .value("resort_every", options.resort_every)
      .choice("resort_by", options.resort_by,
              {{"mi", ResortBy::mi},
               {"connectivity", ResortBy::connectivity},
               {"frequency", ResortBy::frequency}})
      .choice("marginals", options.marginals,
              {{"bigram", BrownMarginals::bigram}, {"unigram", BrownMarginals::unigram}})
      .path("checkpoint", options.checkpoint_file)
      .value("checkpoint_seconds", options.checkpoint_seconds)
      .value("resume", options.resume);
}

void read(OptionReader& reader, SpectralOptions& options) {
  const py::object context = reader.take("context");
  if (py::isinstance<py::str>(context)) {
    options.context = parse_context(from_str(context));
  } else {
    reader.value("context", options.context);
  }
  read_sizes(reader, options.sizes);
  read_checkpoint_options(reader, options.checkpoint);
  reader.value("kappa", options.kappa)
      .value("dim", options.dimensions)
      .choice("weights", options.weights,
              {{"none", WordWeights::none}, {"sqrt", WordWeights::sqrt}, {"counts", WordWeights::counts}})
      .choice("hierarchy", options.hierarchy,
              {{"window", SpectralHierarchy::window},
               {"full", SpectralHierarchy::full},
               {"divide", SpectralHierarchy::divide}})
      .value("window", options.window)
      .value("tolerance", options.tolerance);
}

void read(OptionReader& reader, Svd2Options& options) {
  reader.value("context_words", options.context_words)
      .value("rank1", options.rank1)
      .value("clusters1", options.clusters1)
      .value("rank2", options.rank2)
      .value("scale", options.scale)
      .value("unit_length", options.unit_length)
      .value("weighted", options.weighted)
      .value("frequent_seeds", options.frequent_seeds)
      .value("second_pass", options.second_pass)
      .value("tree", options.tree);
}

void read(OptionReader& reader, PosOptions& options) {
  reader.value("restarts", options.restarts)
      .value("skip_weight", options.skip_weight)
      .value("suffix_weight", options.suffix_weight)
      .value("shape_weight", options.shape_weight)
      .value("length_weight", options.length_weight)
      .value("capital_weight", options.capital_weight)
      .value("type_weight", options.type_weight)
      .value("max_tokens", options.max_tokens)
      .value("fold_case", options.fold_case)
      .value("tree", options.tree);
}

}  // namespace

MethodSettings method_from(const std::string& name, const py::dict& given) {
  MethodSettings settings{cluster_method(name)};
  OptionReader reader("method '" + name + "'", given);
  std::visit([&reader](auto& options) { read(reader, options); }, settings.method);
  if (std::holds_alternative<BrownOptions>(settings.method)) {
    reader.path("order", settings.order_file).path("trace", settings.trace_file);
  }
  reader.finish();
  return settings;
}

}  // namespace firth::python
