#include <fmt/format.h>

#include <firth/clustering.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <limits>

#include "commands/cluster_formats.hpp"
#include "commands/commands.hpp"
#include "commands/result_files.hpp"

namespace firth::cli {
namespace {

class ConvertCommand : public Command {
 public:
  std::string name() const override { return "convert"; }
  std::string summary() const override { return "turns a file of classes into another format"; }
  std::string description() const override {
    return "Reads classes of words in any format that Firth knows, and writes them in another one. The format of IN is detected. Formats with a tree (paths, merges, json, firth) can be cut at any number of classes on the way. docs/formats.md describes the formats.";
  }
  std::vector<Example> examples() const override {
    return {{"firth convert out classes.txt --to classes", "word TAB class, for mkcls and GIZA users"},
            {"firth convert paths - --to srilm --cut 100", "100 classes for SRILM, on standard output"},
            {"firth convert merges.gz tree.json --from merges --to json", "a merge list as a JSON tree"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("IN", in_,
                       "A file of classes, a folder that firth cluster wrote, or - for standard input.");
    options.positional("OUT", out_, "The file to write (a folder for --to firth), or - for standard output.");
    declare_format(options, "--to", to_, "The format to write.");
    options.require_last();
    declare_format(options, "--from", from_, "The format of IN, if it cannot be detected.");
    options.number<ClassId>("--cut", "K", cut_, {0, std::numeric_limits<ClassId>::max() - 1},
                            "Cut the tree at K classes; 0 = leave the classes as they are.");
    session.declare(options, {.threads = false});
  }

  void run(Session& session) override {
    if (to_ == ClusterFormat::firth)
      check_output_folder(out_);
    else
      check_output_file(out_);
    Clustering clustering = load_clustering(in_, from_);
    try {
      if (cut_ > 0) clustering = clustering.cut(cut_);
      if (out_ == "-") {
        session.print(format_clustering(clustering, to_));
      } else if (to_ == ClusterFormat::firth) {
        save_result(out_, clustering);
      } else {
        save_clustering(out_, clustering, to_);
      }
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", in_ == "-" ? "standard input" : in_, error.what()));
    }
  }

 private:
  std::string in_;
  std::string out_;
  ClusterFormat to_ = ClusterFormat::automatic;
  ClusterFormat from_ = ClusterFormat::automatic;
  ClassId cut_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_convert_command() {
  return std::make_unique<ConvertCommand>();
}

}  // namespace firth::cli
