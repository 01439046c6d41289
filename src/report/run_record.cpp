#include <fmt/format.h>
#include <xxhash.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "firth/build_info.hpp"
#include "firth/error.hpp"
#include "firth/run_record.hpp"
#include "text/inputs.hpp"

namespace firth {
namespace {

using Json = nlohmann::ordered_json;

InputRecord describe_file(const std::string& path) {
  const base::MappedFile file(path);
  const auto bytes = file.bytes();
  return {path, bytes.size(), fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()))};
}

/// JSON has no NaN.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// Whole numbers without a decimal point.
Json figure(double value) {
  constexpr double kExact = 9007199254740992.0;
  if (value >= 0 && value < kExact && std::floor(value) == value) return static_cast<std::uint64_t>(value);
  return number(value);
}

Json to_json(const StageRecord& stage) {
  return {{"stage", stage.name},
          {"seconds", number(stage.seconds)},
          {"peak_memory_bytes", stage.peak_memory_bytes}};
}

Json to_json(const IterationStats& step) {
  return {{"stage", step.stage},
          {"classes", step.classes},
          {"moved", step.moved},
          {"ami_bits", number(step.ami_bits)},
          {"seconds", number(step.seconds)}};
}

Json to_json(const InputRecord& input) {
  Json json = {{"path", input.path}};
  // What came through a pipe cannot be read again; a size of 0 would be wrong.
  if (input.bytes > 0 || !input.xxh3.empty()) json["bytes"] = input.bytes;
  if (!input.xxh3.empty()) json["xxh3"] = input.xxh3;
  return json;
}

template <typename Item>
Json list(const std::vector<Item>& items) {
  Json array = Json::array();
  for (const Item& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace

std::vector<InputRecord> describe_inputs(const Inputs& inputs, const RunOptions& run) {
  std::vector<InputRecord> records;
  for (const text::InputFile& file : text::expand_inputs(inputs, run.stop)) {
    run.check_stop();
    const bool on_disk = file.rereadable && file.memory == nullptr;
    records.push_back(on_disk ? describe_file(file.path) : InputRecord{file.path, file.size, ""});
  }
  return records;
}

void save_run_record(const std::string& path, const RunRecord& record) {
  const BuildInfo build = build_info();
  Json json;
  json["command"] = record.command;
  json["version"] = build.version;
  json["build"] = {{"compiler", build.compiler}, {"simd", build.simd}, {"features", build.features}};
  json["options"] = Json::object();
  for (const auto& [name, value] : record.options) json["options"][name] = value;
  json["inputs"] = list(record.inputs);
  json["figures"] = Json::object();
  for (const auto& [name, value] : record.figures) json["figures"][name] = figure(value);
  json["stages"] = list(record.stages);
  json["iterations"] = list(record.iterations);
  for (const auto& [name, values] : record.series) {
    json["series"][name] = Json::array();
    for (const double value : values) json["series"][name].push_back(number(value));
  }
  base::OutputFile file(path);
  // Words of the user's may be any bytes; JSON must be UTF-8.
  file.write(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  file.commit();
}

}  // namespace firth
