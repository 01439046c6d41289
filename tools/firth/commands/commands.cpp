#include "commands/commands.hpp"

namespace firth::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_count_command());
  commands.push_back(make_cluster_command());
  return commands;
}

}  // namespace firth::cli
