#include "library_names.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

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
    FunctionName{"load_clustering()", "'firth convert --from'"},
    FunctionName{"build_tree()", "'firth tree'"},
    FunctionName{"build_report()", "'firth report'"},
    FunctionName{"read it with load_lm()",
                 "use it with 'firth lm', as a file that is not compressed, and not from a pipe"},
    FunctionName{"read it with load_hmm()", "use it with 'firth hmm tag'"},
    FunctionName{"read it with load_tagger()", "use it with 'firth tag run'"},
    FunctionName{"read it with load_lpcfg()", "use it with 'firth parse run'"},
    FunctionName{"read it with load_lm_counts()", "use it with 'firth lm train --from-counts'"},
    FunctionName{"count the text again with count_ngrams()", "count the text again with 'firth lm count'"},
    FunctionName{"read it with load_counts()",
                 "use it with 'firth cluster', as a file that is not compressed, and not from a pipe"},
    FunctionName{"make one model of it with expand_lm()", "write it with --expanded-arpa"},
    FunctionName{"decoded()", "--encoding"},
    FunctionName{"embed_words()", "'firth embed'"},
    FunctionName{"train_class_lm()", "'firth lm train --classes'"},
    FunctionName{"train_hmm()", "'firth hmm train'"},
    FunctionName{"train_tagger()", "'firth tag train'"},
    FunctionName{"train_lpcfg()", "'firth parse train'"},
};

/// Where a command takes a model in another way than the one that is made for it.
struct Placed {
  std::string_view command;
  std::string_view advice;
  std::string_view here;
};

constexpr std::array kPlaced = {
    Placed{"tag score", "not text; read it with load_tagger()", "not tagged text; name it with --model"},
    Placed{"parse score", "not text; read it with load_lpcfg()", "not trees; name it with --model"},
    Placed{"tag run", "not text; read it with load_tagger()", "not text; one tagger is enough"},
    Placed{"parse run", "not text; read it with load_lpcfg()", "not text; name further grammars with --with"},
};

std::vector<OptionInfo> options_of(Command& command) {
  CLI::App app;
  OptionTable options(app);
  Session session({});
  command.declare(options, session);
  return options.infos();
}

/// "--output" of "-o,--output"; "" for an argument.
std::string long_name(const OptionInfo& info) {
  const std::size_t begin = info.names.find("--");
  return begin == std::string::npos ? "" : info.names.substr(begin);
}

/// Options by the fields that they are bound to, over all commands: a message may be about another one.
std::map<std::string, std::string, std::less<>> flags_by_field() {
  std::map<std::string, std::string, std::less<>> flags;
  for (const auto& command : all_commands()) {
    for (const OptionInfo& info : options_of(*command)) {
      if (!info.field.empty()) flags.emplace(info.field, long_name(info));
    }
  }
  return flags;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Takes out every ", or do this (--option)" whose option the command does not have.
void drop_advice_for_others(std::string& message, Command& command) {
  constexpr std::string_view kOr = ", or ";
  const std::vector<OptionInfo> infos = options_of(command);
  std::size_t at = message.find(kOr);
  while (at != std::string::npos) {
    const std::size_t next = message.find(kOr, at + 1);
    const std::string clause = message.substr(at, next == std::string::npos ? next : next - at);
    const std::size_t open = clause.find(" (--");
    const bool names_option = open != std::string::npos && clause.ends_with(')');
    const std::string flag = names_option ? clause.substr(open + 2, clause.size() - open - 3) : "";
    const bool is_known = std::any_of(infos.begin(), infos.end(),
                                      [&](const OptionInfo& info) { return long_name(info) == flag; });
    if (names_option && !is_known) {
      message.erase(at, clause.size());
      at = message.find(kOr, at);
    } else {
      at = next;
    }
  }
}

}  // namespace

std::string in_words_of_the_command(std::string message, Command* command) {
  for (const Placed& placed : kPlaced) {
    if (command != nullptr && command->name() == placed.command)
      replace_all(message, placed.advice, placed.here);
  }
  for (const FunctionName& name : kFunctions) replace_all(message, name.function, name.command);
  if (message.find("Options::") != std::string::npos) {
    for (const auto& [field, flag] : flags_by_field()) replace_all(message, field, flag);
  }
  if (command != nullptr) drop_advice_for_others(message, *command);
  return message;
}

}  // namespace firth::cli
