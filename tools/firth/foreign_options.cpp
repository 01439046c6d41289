#include "foreign_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace firth::cli {
namespace {

struct Foreign {
  std::string_view command;  // that takes the place of the tool
  std::string_view option;
  std::string_view tool;
  std::string_view here;
};

constexpr std::array kForeign = {
    Foreign{"cluster", "--text", "wcluster", "an argument (firth cluster TEXT)"},
    Foreign{"cluster", "--c", "wcluster", "-c (--classes)"},
    Foreign{"cluster", "--min-occur", "wcluster", "--min-count"},
    Foreign{"cluster", "--max-occur", "wcluster", "--max-vocab (a number of words)"},
    Foreign{"cluster", "--output_dir", "wcluster", "-o (--output)"},
    Foreign{"cluster", "--restrict", "wcluster", "--vocab"},
    Foreign{"cluster", "--paths", "wcluster", "the file 'paths' in the folder of -o"},
    Foreign{"cluster", "--plen", "wcluster", "missing (join phrases in the text beforehand)"},
    Foreign{"cluster", "--ncollocs", "wcluster",
            "missing (its log lists collocations; firth phrases finds them)"},
    Foreign{"cluster", "--rand", "wcluster", "--seed"},
    Foreign{"cluster", "--chk", "wcluster", "missing"},
    Foreign{"cluster", "-p", "mkcls", "an argument (firth cluster TEXT)"},
    Foreign{"cluster", "-V", "mkcls", "--mkcls"},
    Foreign{"cluster", "-n", "mkcls", "--restarts with --method exchange"},
    Foreign{"cluster", "--in", "clustercat", "an argument (firth cluster TEXT)"},
    Foreign{"cluster", "--num-classes", "clustercat", "-c (--classes)"},
    Foreign{"cluster", "--tune-cycles", "clustercat", "--passes with --method exchange"},
    Foreign{"cluster", "--word-vectors", "clustercat", "firth embed"},
    Foreign{"cluster", "-numclasses", "SRILM ngram-class", "-c (--classes)"},
    Foreign{"cluster", "-class-counts", "SRILM ngram-class", "firth lm train"},
    Foreign{"cluster", "-classes", "SRILM ngram-class",
            "'firth convert DIR FILE --to srilm' after clustering"},
    Foreign{"cluster", "--to", "firth convert",
            "a second command (firth convert DIR FILE --to FORMAT, after clustering)"},
    Foreign{"cluster", "--clusters", "some tools'", "-c (--classes)"},
    Foreign{"cluster", "-k", "some tools'", "-c (--classes)"},
    Foreign{"cluster", "-K", "some tools'", "-c (--classes)"},
    Foreign{"cluster", "--num-clusters", "some tools'", "-c (--classes)"},
    Foreign{"cluster", "--n_clusters", "some tools'", "-c (--classes)"},
    Foreign{"cluster", "--n-clusters", "some tools'", "-c (--classes)"},
    Foreign{"cluster", "--input", "some tools'", "an argument (firth cluster TEXT)"},
    Foreign{"cluster", "-i", "some tools'", "an argument (firth cluster TEXT)"},
    Foreign{"cluster", "--output-dir", "some tools'", "-o (--output)"},
    Foreign{"cluster", "--verbose", "some tools'", "--progress always"},
    Foreign{"cluster", "-v", "some tools'", "--progress always"},
    Foreign{"embed", "-dim", "fastText", "-d (--dim)"},
    Foreign{"embed", "-minCount", "fastText", "--min-count"},
    Foreign{"embed", "-input", "fastText", "an argument (firth embed TEXT)"},
    Foreign{"embed", "-output", "fastText", "-o (--output)"},
    Foreign{"embed", "-ws", "fastText", "--context"},
    Foreign{"lm train", "--text", "lmplz", "an argument (firth lm train TEXT)"},
    Foreign{"lm train", "--arpa", "lmplz", "'firth lm export MODEL --arpa FILE' after training"},
    Foreign{"lm train", "-text", "SRILM ngram-count", "an argument (firth lm train TEXT)"},
    Foreign{"lm train", "-lm", "SRILM ngram-count", "'-o MODEL', then 'firth lm export MODEL --arpa FILE',"},
    Foreign{"lm train", "-kndiscount", "SRILM ngram-count", "the default (--smoothing kneser-ney)"},
    Foreign{"lm train", "-interpolate", "SRILM ngram-count", "the default (--smoothing kneser-ney)"},
    Foreign{"lm score", "-lm", "SRILM ngram", "an argument (firth lm score MODEL TEXT)"},
    Foreign{"lm score", "-ppl", "SRILM ngram", "an argument (firth lm score MODEL TEXT)"},
};

struct ForeignCommand {
  std::string_view name;
  std::string_view here;
};

constexpr std::array kForeignCommands = {
    ForeignCommand{"wcluster", "cluster --preset wcluster"},
    ForeignCommand{"mkcls", "cluster --preset mkcls"},
    ForeignCommand{"clustercat", "cluster"},
    ForeignCommand{"ngram-class", "cluster"},
    ForeignCommand{"lmplz", "lm train"},
    ForeignCommand{"ngram-count", "lm train"},
    ForeignCommand{"ngram", "lm score"},
    ForeignCommand{"query", "lm score"},
    ForeignCommand{"fasttext", "embed"},
    ForeignCommand{"word2vec", "embed"},
    ForeignCommand{"evalb", "parse score"},
    ForeignCommand{"conlleval", "tag score"},
    ForeignCommand{"interpolate", "lm mix"},
    ForeignCommand{"perplexity", "lm score"},
    ForeignCommand{"brown", "cluster --method brown"},
};

}  // namespace

std::string foreign_option(std::string_view command, std::string_view option) {
  const std::string_view name = option.substr(0, option.find('='));
  auto found = std::find_if(kForeign.begin(), kForeign.end(), [&](const Foreign& foreign) {
    return foreign.command == command && foreign.option == name;
  });
  // mkcls takes values without a blank: -n2, -pFILE.
  if (found == kForeign.end()) {
    found = std::find_if(kForeign.begin(), kForeign.end(), [&](const Foreign& foreign) {
      return foreign.command == command && foreign.tool == "mkcls" && name.starts_with(foreign.option);
    });
  }
  if (found == kForeign.end()) return "";
  const bool plural = found->tool.ends_with('\'');
  return fmt::format("{}{} {} is {} here", found->tool, plural ? "" : "'s", found->option, found->here);
}

std::string missing_output(std::string_view command, std::string_view option) {
  const std::string_view name = option.substr(0, option.find('='));
  if (name != "-o" && name != "--out" && name != "--output") return "";
  if (command == "convert") return "the output is an argument (firth convert IN OUT --to FORMAT)";
  if (command == "lm export")
    return "each kind of output has an option of its own (--arpa FILE, --expanded-arpa FILE ...)";
  return "the result goes to standard output: write > FILE";
}

std::string foreign_command(std::string_view name) {
  const auto found = std::find_if(kForeignCommands.begin(), kForeignCommands.end(),
                                  [&](const ForeignCommand& command) { return command.name == name; });
  return found == kForeignCommands.end() ? "" : std::string(found->here);
}

}  // namespace firth::cli
