// All methods of clustering.
#include <pybind11/stl.h>

#include <firth/brown.hpp>
#include <firth/cluster.hpp>
#include <firth/files.hpp>
#include <firth/run_record.hpp>
#include <variant>

#include "bindings.hpp"
#include "methods.hpp"
#include "runner.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

/// A result, and the vectors of methods that have some.
struct Clustered {
  ClusterResult result;
  std::optional<WordVectors> vectors;
};

ClusterResult cluster_brown_with(const Counts& counts, const MethodSettings& settings,
                                 const RunOptions& run) {
  BrownOptions options = std::get<BrownOptions>(settings.method);
  if (!settings.order_file.empty()) {
    options.order = load_word_order(settings.order_file, counts.vocabulary(), run);
  }
  if (settings.trace_file.empty()) return cluster_brown(counts, options, run);
  check_output_file(settings.trace_file);
  std::vector<BrownEvent> events;
  options.on_event = [&events](const BrownEvent& event) { events.push_back(event); };
  ClusterResult result = cluster_brown(counts, options, run);
  save_text(settings.trace_file, format_events(events));
  return result;
}

Clustered cluster_with(const Counts& counts, const MethodSettings& settings, const RunOptions& run) {
  const ClusterMethod& method = settings.method;
  if (std::holds_alternative<BrownOptions>(method)) {
    return {cluster_brown_with(counts, settings, run), std::nullopt};
  }
  if (const auto* options = std::get_if<SpectralOptions>(&method)) {
    SpectralResult result = cluster_spectral(counts, *options, run);
    WordVectors vectors = std::move(result.vectors);
    return {std::move(result), std::move(vectors)};
  }
  if (const auto* options = std::get_if<Svd2Options>(&method)) {
    Svd2Result result = cluster_svd2(counts, *options, run);
    WordVectors vectors = std::move(result.vectors);
    return {std::move(result), std::move(vectors)};
  }
  return {cluster(counts, method, run), std::nullopt};
}

py::list history(const std::vector<IterationStats>& iterations) {
  py::list list;
  for (const IterationStats& step : iterations) {
    py::dict entry;
    entry["stage"] = step.stage;
    entry["classes"] = step.classes;
    entry["moved"] = step.moved;
    entry["ami_bits"] = step.ami_bits;
    entry["seconds"] = step.seconds;
    list.append(entry);
  }
  return list;
}

py::dict as_dict(Clustered clustered) {
  py::dict result;
  result["ami_bits"] = clustered.result.ami_bits;
  result["complete"] = clustered.result.complete;
  result["history"] = history(clustered.result.iterations);
  py::dict series;
  for (const auto& [name, values] : clustered.result.series) series[py::str(name)] = values;
  if (const auto& free = clustered.result.free_ami_bits) series["free_ami_bits"] = *free;
  result["series"] = series;
  if (const auto& warm = clustered.result.warm_start) {
    py::dict start;
    start["known"] = warm->known;
    start["kept"] = warm->kept;
    start["added"] = warm->added;
    result["warm_start"] = start;
  }
  if (clustered.vectors) result["vectors"] = py::cast(std::move(*clustered.vectors));
  result["clustering"] = py::cast(std::move(clustered.result.clustering));
  return result;
}

py::dict cluster_counts(const Counts& counts, const std::string& name, ClassId classes, const py::dict& given,
                        const RunArguments& run) {
  MethodSettings settings = method_from(name, given);
  set_classes(settings.method, classes);
  return as_dict(
      run_result(run, nullptr, [&](const RunOptions& to) { return cluster_with(counts, settings, to); }));
}

std::vector<int> distances(const std::string& name, const py::dict& given) {
  return required_distances(method_from(name, given).method);
}

py::list method_names() {
  py::list names;
  for (const ClusterMethodInfo& method : cluster_methods()) names.append(to_str(method.name));
  return names;
}

}  // namespace

void bind_cluster(py::module_& module) {
  module.def("cluster", &cluster_counts);
  module.def("required_distances", &distances);
  module.def("method_names", &method_names);
}

}  // namespace firth::python
