#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <firth/class_ids.hpp>
#include <firth/class_sizes.hpp>
#include <firth/clustering.hpp>
#include <firth/codes.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <firth/newick.hpp>
#include <firth/text.hpp>
#include <limits>
#include <optional>
#include <set>

#include "commands/cluster_formats.hpp"
#include "commands/commands.hpp"
#include "commands/result_files.hpp"
#include "whole_number.hpp"

namespace firth::cli {
namespace {

constexpr const char* kTargets = "paths|classes|merges|srilm|clark|json|mkcls|firth|newick|codes|ids|depth=D";

constexpr std::array kFormats = {
    std::pair("paths", ClusterFormat::paths),   std::pair("classes", ClusterFormat::classes),
    std::pair("merges", ClusterFormat::merges), std::pair("srilm", ClusterFormat::srilm),
    std::pair("clark", ClusterFormat::clark),   std::pair("json", ClusterFormat::json),
    std::pair("mkcls", ClusterFormat::mkcls),   std::pair("firth", ClusterFormat::firth)};

/// What --to says.
struct Target {
  enum class Kind { clustering, newick, codes, ids } kind = Kind::clustering;
  ClusterFormat format = ClusterFormat::classes;
  std::optional<std::uint32_t> depth = std::nullopt;  ///< cut there first

  /// Of the name of one file of several; `name`: what --to says.
  std::string ending(const std::string& name) const {
    if (kind == Kind::ids) return ".npy";
    if (kind == Kind::newick) return ".nwk";
    if (format == ClusterFormat::firth) return "";
    return format == ClusterFormat::classes ? ".tsv" : "." + name;
  }
};

Target parse_target(const std::string& text) {
  constexpr std::string_view kDepth = "depth=";
  for (const auto& [name, format] : kFormats)
    if (text == name) return {Target::Kind::clustering, format};
  if (text == "newick") return {Target::Kind::newick};
  if (text == "codes") return {Target::Kind::codes};
  if (text == "ids") return {Target::Kind::ids};
  if (text.starts_with(kDepth)) {
    const auto depth = whole_number<std::uint32_t>(std::string_view(text).substr(kDepth.size()));
    if (depth) return {Target::Kind::clustering, ClusterFormat::classes, *depth};
  }
  for (const std::string_view picture : {"svg", "png", "pdf", "dot", "html"})
    if (text == picture)
      throw UsageError(fmt::format("--to: '{}' is a picture, not a format of classes", text),
                       "'firth report DIR --svg tree.svg' draws one, --to newick is for programs that do");
  std::string names = kTargets;
  for (std::size_t at = 0; (at = names.find('|', at)) != std::string::npos; at += 2)
    names.replace(at, 1, ", ");
  throw UsageError(fmt::format("--to: '{}' is not one of {}", text, names), "see 'firth convert --help'");
}

void write_codes(const Codes& codes, const std::string& out, Session& session) {
  constexpr std::string_view kArray = ".npy";
  if (out == "-") return session.print(format_codes(codes));
  if (out.ends_with(kArray))
    return save_codes(out.substr(0, out.size() - kArray.size()), codes, CodeFormat::npy);
  save_codes(out, codes, CodeFormat::tsv);
}

class ConvertCommand : public Command {
 public:
  std::string name() const override { return "convert"; }
  std::string summary() const override { return "converts classes to another format"; }
  std::string description() const override {
    return "Reads classes of words in any format that Firth knows, and writes them in another one. The format of IN is detected. If they have a tree (paths, merges, json, firth), it can be cut at any number of classes, at a depth, or by the sizes of classes, or turned into codes of a fixed width. docs/formats.md describes the formats.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth convert out corpus.en.vcb.classes --to mkcls",
         "for GIZA++: numbered from 2, with a .cats file beside it"},
        {"firth convert paths - --to srilm --cut 100", "100 classes for SRILM, on standard output"},
        {"firth convert out cuts --to paths --cut 50,100,200",
         "three cuts of one tree: cuts/cut-50.paths, cuts/cut-100.paths, cuts/cut-200.paths"},
        {"firth convert merges.gz tree.json --from merges --to json", "a merge list as a JSON tree"},
        {"firth convert out tree.nwk --to newick --cut 30", "a tree of 30 classes for FigTree, iTOL or ape"},
        {"firth convert out codes.npy --to codes --branch 256 --depth 3",
         "three bytes per word, no two words alike, neighbours in the tree alike at the beginning"},
        {"firth convert out classes.npy --to ids", "the classes of token ids as an array"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options_ = &options;
    options.positional("IN", in_,
                       "A file of classes, a folder that firth cluster wrote, or - for standard input.");
    options.positional("OUT", out_, "The file to write (a folder for --to firth), or - for standard output.");
    options.text(
        "--to", kTargets, to_,
        "The format to write; newick = a tree for programs that draw trees; codes = codes of one width, as a table, or, if OUT ends in .npy, as an array with a .vocab file beside it; ids = the class of each token id, as .npy; depth=D = classes that are the nodes of the tree at depth D.");
    options.require_last();
    declare_format(options, "--from", from_, "The format of IN, if it cannot be detected.");
    options.numbers<ClassId>(
        "--cut;--cuts", "K,K...", cuts_, {0, std::numeric_limits<ClassId>::max() - 1},
        "Cut the tree at K classes; 0 = leave the classes as they are. With several numbers, OUT is a folder "
        "that gets one file per cut: cut-K.tsv for --to classes, cut-K.npy for ids, cut-K.paths and so on.");
    options.show_default("0");
    options.text(
        "--class-size", "SIZE", sizes_,
        "Cut by the sizes of classes: max=N = from the root down, split the largest class until there are the K classes of --cut, or until no class has more than N words; equal = K ranges of the leaves with the same number of words; max-tokens=N, equal-tokens = the same for tokens instead of words.");
    options.field_of_last("ClassSizes::max");
    options.group(kCodesGroup);
    options.number<std::uint32_t>("--branch", "B", codes_.branch, {2, 1u << 31},
                                  "Number of values of a digit.");
    options.field_of_last("CodeOptions::branch");
    options.number<std::uint32_t>("--depth", "D", codes_.depth, {1, 64}, "Number of digits of a code.");
    options.field_of_last("CodeOptions::depth");
    options.group(kIdsGroup);
    options.text("--id-names", "FILE", id_names_,
                 "The names of token ids, id 0 in the first line; without it, words are the numbers.");
    session.declare(options, {.threads = false});
  }

  void run(Session& session) override {
    const Target target = parse_target(to_);
    refuse_foreign_options(target);
    if (cuts_.size() > 1) refuse_several_cuts(target);
    if (target.format == ClusterFormat::firth || cuts_.size() > 1)
      check_output_folder(out_);
    else
      check_output_file(out_);
    const Clustering clustering = load_clustering(in_, from_, session.run());
    try {
      for (const ClassId cut : cuts_) warn_of_fine_cut(clustering, cut, session);
      if (cuts_.size() > 1) return write_several(clustering, target, session);
      write(cut_as_asked(clustering, target, cuts_.empty() ? 0 : cuts_.front()), target, out_, session);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", in_ == "-" ? "standard input" : in_, error.what()));
    }
  }

 private:
  static constexpr const char* kCodesGroup = "Only for --to codes";
  static constexpr const char* kIdsGroup = "Only for --to ids";

  void refuse_foreign_options(const Target& target) const {
    for (const auto& [group, kind] :
         {std::pair(kCodesGroup, Target::Kind::codes), std::pair(kIdsGroup, Target::Kind::ids)}) {
      const auto given = options_->given_in_group(group);
      if (given.empty() || target.kind == kind) continue;
      throw UsageError(fmt::format("{} has no effect with --to {}", given.front(), to_), "leave it out");
    }
    const bool cuts = std::any_of(cuts_.begin(), cuts_.end(), [](ClassId cut) { return cut > 0; });
    if (target.depth && (cuts || !sizes_.empty()))
      throw UsageError("--to depth and --cut or --class-size exclude each other", "leave one of them out");
  }

  void refuse_several_cuts(const Target& target) const {
    if (out_ == "-")
      throw UsageError("several cuts cannot go to standard output",
                       "name a folder, or give --cut one number");
    if (target.kind == Target::Kind::codes)
      throw UsageError("--to codes has one cut only", "give --cut one number");
    if (std::find(cuts_.begin(), cuts_.end(), 0) != cuts_.end())
      throw UsageError("--cut: 0 leaves the classes as they are, and cannot be one of several cuts",
                       "leave it out");
  }

  Clustering cut_as_asked(const Clustering& clustering, const Target& target, ClassId cut) const {
    if (target.depth) return cut_at_depth(clustering, *target.depth);
    if (!sizes_.empty()) return cut_by_size(clustering, cut, parse_class_sizes(sizes_));
    return cut > 0 ? clustering.cut(cut) : clustering;
  }

  /// All cuts or none.
  void write_several(const Clustering& clustering, const Target& target, Session& session) const {
    OutputTransaction outputs;
    outputs.claim_folder(out_);
    const std::set<ClassId> cuts(cuts_.begin(), cuts_.end());
    for (const ClassId cut : cuts) {
      const std::string file = fmt::format("{}/cut-{}{}", out_, cut, target.ending(to_));
      write(cut_as_asked(clustering, target, cut), target, file, session);
    }
    outputs.commit();
  }

  void write(const Clustering& clustering, const Target& target, const std::string& out,
             Session& session) const {
    if (target.kind == Target::Kind::codes) return write_codes(make_codes(clustering, codes_), out, session);
    if (target.kind == Target::Kind::newick) return save_text(out, format_newick(clustering));
    if (target.kind == Target::Kind::ids && out == "-")
      throw UsageError("an array cannot go to standard output", "name a file that ends in .npy");
    if (target.kind == Target::Kind::ids)
      return save_classes_by_id(out, classes_by_id(clustering, id_names_, session.run()));
    if (out == "-")
      session.print(format_clustering(clustering, target.format));
    else if (target.format == ClusterFormat::firth)
      save_result(out, clustering);
    else if (target.format == ClusterFormat::mkcls)
      save_mkcls(out, clustering);
    else
      save_clustering(out, clustering, target.format);
  }

  const OptionTable* options_ = nullptr;
  std::string in_;
  std::string out_;
  std::string to_;
  std::string sizes_;
  std::string id_names_;
  ClusterFormat from_ = ClusterFormat::automatic;
  std::vector<ClassId> cuts_;
  CodeOptions codes_;
};

}  // namespace

std::unique_ptr<Command> make_convert_command() {
  return std::make_unique<ConvertCommand>();
}

}  // namespace firth::cli
