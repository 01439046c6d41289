// What a run was: options, inputs, times, scores. The contract between a run and whoever reads about it
// later.
//
//   firth::RunRecord record;
//   record.command = "my_program";
//   record.inputs = firth::describe_inputs("text.txt");
//   firth::save_run_record("run.json", record);
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "firth/cluster_result.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth {

/// A finished stage of a run.
struct StageRecord {
  std::string name;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  ///< of the whole process, up to the end of the stage
};

/// An input file as it was read.
struct InputRecord {
  std::string path;
  std::uint64_t bytes = 0;
  std::string xxh3;  ///< checksum of its bytes (XXH3, 64 bits, hexadecimal); "" for what is not a file
};

/// Everything worth keeping about a run.
struct RunRecord {
  std::string command;
  std::vector<std::pair<std::string, std::string>>
      options;  ///< every option with its value, given or default
  std::vector<InputRecord> inputs;
  std::vector<std::pair<std::string, double>> figures;  ///< sizes and scores
  std::vector<StageRecord> stages;
  std::vector<IterationStats> iterations;
  std::vector<std::pair<std::string, std::vector<double>>> series;  ///< lists of numbers by name
};

/// Name, size and checksum of everything that reading `inputs` would read. Throws IoError, Cancelled.
[[nodiscard]] std::vector<InputRecord> describe_inputs(const Inputs& inputs, const RunOptions& run = {});

/// Writes the record as JSON, with the version of this build; complete or not at all.
void save_run_record(const std::string& path, const RunRecord& record);

}  // namespace firth
