#include "commands/compare_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <firth/build_info.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "commands/result_files.hpp"
#include "commands/run_cost.hpp"

namespace firth::cli {
namespace {

using UnorderedJson = nlohmann::json;

constexpr std::array<std::pair<std::string_view, SearchEffort>, 4> kEfforts = {
    {{"fast", SearchEffort::fast},
     {"normal", SearchEffort::normal},
     {"high", SearchEffort::high},
     {"max", SearchEffort::max}}};

NamedClusterMethod parse_method(const std::string& name) {
  const std::size_t colon = name.find(':');
  NamedClusterMethod parsed{name, cluster_method(name.substr(0, colon))};
  if (colon == std::string::npos) return parsed;
  const std::string effort = name.substr(colon + 1);
  const auto found =
      std::find_if(kEfforts.begin(), kEfforts.end(), [&](const auto& one) { return one.first == effort; });
  auto* options = std::get_if<AutoOptions>(&parsed.method);
  if (options == nullptr || found == kEfforts.end())
    throw UsageError(fmt::format("there is no method '{}'", name),
                     "with an effort there are auto:fast, auto:normal, auto:high and auto:max");
  options->effort = found->second;
  return parsed;
}

/// Whether a run.json tells of the same version, inputs and options.
bool is_same_run(const UnorderedJson& json, const RunRecord& wanted) {
  if (!json.is_object() || json.value("version", "") != build_info().version) return false;
  UnorderedJson options = UnorderedJson::object();
  for (const auto& [name, value] : wanted.options) options[name] = value;
  if (json.value("options", UnorderedJson()) != options) return false;
  const UnorderedJson inputs = json.value("inputs", UnorderedJson());
  if (!inputs.is_array() || inputs.size() != wanted.inputs.size()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const InputRecord& input = wanted.inputs[i];
    if (input.xxh3.empty() || inputs[i].value("xxh3", "") != input.xxh3) return false;
  }
  return true;
}

std::optional<double> figure_of(const UnorderedJson& json, const char* name) {
  const UnorderedJson figures = json.value("figures", UnorderedJson::object());
  if (!figures.is_object() || !figures.contains(name) || !figures[name].is_number()) return std::nullopt;
  return figures[name].get<double>();
}

}  // namespace

std::vector<NamedClusterMethod> parse_methods(const std::string& list) {
  std::vector<NamedClusterMethod> methods;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    methods.push_back(parse_method(list.substr(begin, end - begin)));
    begin = end + 1;
  }
  return methods;
}

std::string RunStore::folder_of(const PlannedRun& plan) const {
  std::string name = fmt::format("{}-{}-seed{}", plan.method.name, plan.classes, plan.seed);
  std::replace(name.begin(), name.end(), ':', '-');
  return fmt::format("{}/{}", folder_, name);
}

RunRecord RunStore::record_of(const PlannedRun& plan) const {
  RunRecord record = origin_;
  record.options.emplace_back("--methods", plan.method.name);
  record.options.emplace_back("--classes", fmt::format("{}", plan.classes));
  record.options.emplace_back("--seed", fmt::format("{}", plan.seed));
  return record;
}

std::optional<FinishedRun> RunStore::find(const PlannedRun& plan) const {
  std::ifstream file(folder_of(plan) + "/run.json", std::ios::binary);
  const UnorderedJson json = UnorderedJson::parse(file, nullptr, false);
  if (!is_same_run(json, record_of(plan))) return std::nullopt;
  const auto seconds = figure_of(json, "cpu_seconds");
  if (!seconds) return std::nullopt;
  FinishedRun run{load_clustering(folder_of(plan)), *seconds, std::nullopt, true};
  if (const auto bytes = figure_of(json, "peak_memory_bytes"))
    run.peak_memory = static_cast<std::uint64_t>(*bytes);
  return run;
}

FinishedRun RunStore::get(const PlannedRun& plan, const Counts& counts, RunOptions run) const {
  if (!folder_.empty()) {
    if (auto found = find(plan)) return *std::move(found);
  }
  run.seed = plan.seed;
  ClusterMethod method = plan.method.method;
  set_classes(method, plan.classes);
  const RunCost cost;
  const ClusterResult result = cluster(counts, method, run);
  FinishedRun finished{result.clustering, cost.cpu_seconds(), cost.peak_memory()};
  if (folder_.empty()) return finished;
  RunRecord record = record_of(plan);
  record.iterations = result.iterations;
  record.figures = {{"ami_bits", result.ami_bits}, {"cpu_seconds", finished.cpu_seconds}};
  if (finished.peak_memory)
    record.figures.emplace_back("peak_memory_bytes", static_cast<double>(*finished.peak_memory));
  OutputTransaction outputs;
  outputs.claim_folder(folder_of(plan), is_result_file);
  save_clustering(folder_of(plan), result.clustering, ClusterFormat::firth);
  save_run_record(folder_of(plan) + "/run.json", record);
  outputs.commit();
  return finished;
}

}  // namespace firth::cli
