// What the options of other tools are called here.
#pragma once

#include <string>
#include <string_view>

namespace firth::cli {

/// For an option of wcluster, mkcls, clustercat, SRILM or fastText: what to write instead, as a clause such as
/// "wcluster's --min-occur is --min-count here"; empty for a name that none of them has. `command` is the
/// command that was given it.
std::string foreign_option(std::string_view command, std::string_view option);

/// The command that does the work of another tool: "cluster" for wcluster; empty for a name that is none.
/// What to say where a command has no -o: the output is an argument, or standard output. "" for other options.
std::string missing_output(std::string_view command, std::string_view option);

std::string foreign_command(std::string_view name);

}  // namespace firth::cli
