// The program around the commands: firth, or firth-mpi, which has other ranks beside it.
#pragma once

#include <firth/world.hpp>
#include <functional>
#include <string>
#include <vector>

namespace firth::cli {

/// Who runs the command.
struct Program {
  std::string name = "firth";
  /// The ranks of the run; nullptr = this process alone.
  World* world = nullptr;
  /// Rank and machine, for messages; may be empty.
  std::string place = {};
  /// Called before an error is printed, with the exit code.
  std::function<void(int code)> before_error = {};
};

/// Runs the command that the words name; returns the exit code.
int start(const std::vector<std::string>& words, Program program);

}  // namespace firth::cli
