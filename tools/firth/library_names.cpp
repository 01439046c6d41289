#include "library_names.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <map>
#include <string_view>

#include "command.hpp"

namespace firth::cli {
namespace {

struct FunctionName {
  std::string_view function;
  std::string_view command;
};

constexpr std::array kFunctions = {
    FunctionName{"count_text()", "'firth count'"},
    FunctionName{"save_counts()", "'firth count'"},
    FunctionName{"cluster()", "'firth cluster'"},
    FunctionName{"save_clustering()", "'firth cluster'"},
    FunctionName{"cluster_brown()", "--method brown"},
    FunctionName{"build_tree()", "'firth tree'"},
    FunctionName{"build_report()", "'firth report'"},
    FunctionName{"read it with load_lm()", "use it with 'firth lm', as a file and not from a pipe"},
    FunctionName{"read it with load_hmm()", "use it with 'firth hmm tag'"},
    FunctionName{"read it with load_tagger()", "use it with 'firth tag run'"},
    FunctionName{"read it with load_lpcfg()", "use it with 'firth parse run'"},
    FunctionName{"read it with load_counts()", "use it with 'firth cluster', as a file and not from a pipe"},
    FunctionName{"make one model of it with expand_lm()", "write it with --expanded-arpa"},
    FunctionName{"decoded()", "--encoding"},
    FunctionName{"embed_words()", "'firth embed'"},
    FunctionName{"train_class_lm()", "'firth lm train --classes'"},
    FunctionName{"train_hmm()", "'firth hmm train'"},
    FunctionName{"train_tagger()", "'firth tag train'"},
    FunctionName{"train_lpcfg()", "'firth parse train'"},
};

/// Options by the fields that they are bound to, over all commands: a message may be about another one.
std::map<std::string, std::string, std::less<>> flags_by_field() {
  std::map<std::string, std::string, std::less<>> flags;
  for (const auto& command : all_commands()) {
    CLI::App app;
    OptionTable options(app);
    Session session({});
    command->declare(options, session);
    for (const OptionInfo& info : options.infos()) {
      if (!info.field.empty()) flags.emplace(info.field, info.names.substr(info.names.find("--")));
    }
  }
  return flags;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string in_words_of_the_command(std::string message) {
  for (const FunctionName& name : kFunctions) replace_all(message, name.function, name.command);
  if (message.find("Options::") == std::string::npos) return message;
  for (const auto& [field, flag] : flags_by_field()) replace_all(message, field, flag);
  return message;
}

}  // namespace firth::cli
