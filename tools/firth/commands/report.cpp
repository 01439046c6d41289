// firth report: one page to look at a clustering.
#include <fmt/format.h>

#include <filesystem>
#include <firth/clustering.hpp>
#include <firth/count.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <firth/pictures.hpp>
#include <firth/printable.hpp>
#include <firth/report.hpp>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/commands.hpp"
#include "model_text.hpp"
#include "progress_bar.hpp"

namespace firth::cli {
namespace {

constexpr const char* kReportDescription =
    "Writes one HTML file that shows the classes, their tree, and what is known about them: search, any number of classes, words by frequency, alphabet or ending. It opens from disk in any browser, needs no network, and is an archive: 'firth convert page.html out --to firth' gives the clustering back. With --text it also shows which words stand before and after a class, how typical each word is, and lines of the text. See docs/report.md.";

/// The content of DIR/run.json, "" if there is none. Throws InputError if it is damaged.
std::string read_run(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / "run.json").string();
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!text.empty() && !nlohmann::json::accept(text))
    throw InputError({path}, "the record of the run is not JSON",
                     "remove the file, or make the classes again");
  return text;
}

/// Large because a page has many optional parts, each an option and a short function.
class ReportCommand : public Command {
 public:
  std::string name() const override { return "report"; }
  std::string summary() const override { return "makes an HTML page of classes, tree, words and figures"; }
  std::string description() const override { return kReportDescription; }

  std::vector<Example> examples() const override {
    return {
        {"firth report out -o page.html", "A page about the folder that firth cluster wrote."},
        {"firth report out -o page.html --text text.txt --gold tagged.conllu",
         "The same with neighbours, lines of the text and shares of tags."},
        {"firth report out -o page.html --compare out2", "Where two clusterings agree."},
        {"firth report out --svg tree.svg --svg-classes 40", "A tree of 40 classes for a paper or a slide."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("DIR", in_, "A folder that firth cluster wrote, or a file of classes in any format.");
    options.group("Output");
    options.text("-o,--output", "FILE", out_, "The page to write.");
    options.writes_file();
    options.texts(
        "--svg", "FILE", pictures_,
        "Write a picture, with or without a page. The end of its name says what it shows: tree.svg (the tree with the words of its classes), sizes.svg (words per class), trace.svg (average mutual information pass by pass). May be given again.");
    options.writes_file();
    options.number<ClassId>("--svg-classes", "K", tree_picture_.classes, {1, 100000},
                            "Classes in tree.svg: the tree is cut there.");
    options.text("--title", "TEXT", contents_.title,
                 "Heading of the page; without it, made from the name of DIR.");
    options.number_or<std::uint64_t>(
        "--words", "N", contents_.max_words, {1, std::numeric_limits<std::uint64_t>::max()}, {"all", 0},
        "Keep the N most frequent words, and the first of every class; all = every word.");
    options.group("What to show besides the classes");
    options.texts(
        "--text", "TEXT", texts_,
        "Text or count files (may be given several times): neighbours, typical words, coverage and, for text, lines.");
    options.text(
        "--vectors", "FILE", vectors_,
        "Word vectors: classes that are close, and how close words are to the middle of their class.");
    options.text("--gold", "FILE", gold_, "A tagged text (CoNLL-U, or word TAB tag): tags of each class.");
    options.choice("--tag", tag_, {{"upos", TagColumn::upos}, {"xpos", TagColumn::xpos}},
                   "The column of CoNLL-U that is the tag.");
    options.text("--compare", "DIR", other_, "Another clustering: partners of each class, words that moved.");
    model_text_.declare(options, text_);
    session.declare(options, {.threads = true, .text = true});
  }

  void run(Session& session) override {
    if (out_.empty() && pictures_.empty())
      throw UsageError("nothing to write", "give -o page.html, --svg tree.svg, or both");
    const Clustering clustering = load_clustering(in_, ClusterFormat::automatic, session.run());
    contents_.run_json = read_run(in_);
    if (contents_.title.empty()) contents_.title = title_from(in_);
    OutputTransaction outputs;
    for (const std::string& path : pictures_) save_report(path, picture(path, clustering));
    const std::size_t bytes = out_.empty() ? 0 : write_page(clustering, session);
    outputs.commit();
    for (const std::string& path : pictures_) session.say(fmt::format("-> {}", path));
    if (!out_.empty())
      session.say(fmt::format("{} of {}, {} -> {}", counted(clustering.class_count(), "class", "classes"),
                              counted(clustering.word_count(), "word", "words"), memory_text(bytes), out_));
  }

 private:
  /// Its size in bytes.
  std::size_t write_page(const Clustering& clustering, Session& session) {
    if (!texts_.empty() || !gold_.empty())
      model_text_.follow(clustering.preprocessing(), in_, texts_, session,
                         texts_.empty() ? FollowWhat::words : FollowWhat::all);
    read_texts(clustering, session);
    std::optional<WordVectors> vectors;
    std::optional<GoldText> gold;
    std::optional<Clustering> other;
    if (!vectors_.empty()) contents_.vectors = &vectors.emplace(load_vectors(vectors_, session.run()));
    if (!gold_.empty()) {
      contents_.gold = &gold.emplace(read_tagged_text(session.text({gold_}),
                                                      {.tag = tag_,
                                                       .lowercase = text_.lowercase,
                                                       .normalize = text_.normalize,
                                                       .invalid_utf8 = text_.invalid_utf8},
                                                      session.run()));
    }
    if (!other_.empty())
      contents_.other = &other.emplace(load_clustering(other_, ClusterFormat::automatic, session.run()));
    contents_.other_name = other_;
    const std::string page = build_report(clustering, contents_, session.run());
    save_report(out_, page);
    return page.size();
  }

  /// The picture that the end of its name asks for.
  std::string picture(const std::string& path, const Clustering& clustering) {
    const std::string stem = std::filesystem::path(path).stem().string();
    if (stem.ends_with("tree")) {
      tree_picture_.title = contents_.title;
      return tree_svg(clustering, tree_picture_);
    }
    if (stem.ends_with("sizes")) return sizes_svg(clustering, contents_.title);
    if (stem.ends_with("trace")) return trace_picture();
    throw UsageError(fmt::format("{}: the name does not say what to draw", path),
                     "let it end in tree.svg, sizes.svg or trace.svg");
  }

  std::string trace_picture() const {
    const auto run = nlohmann::json::parse(contents_.run_json, nullptr, false);
    std::vector<ChartPoint> points;
    if (run.is_object() && run.contains("iterations") && run["iterations"].is_array()) {
      for (const auto& step : run["iterations"]) {
        if (!step.is_object() || !step.contains("ami_bits") || !step["ami_bits"].is_number()) continue;
        points.push_back({static_cast<double>(points.size() + 1), step["ami_bits"].get<double>()});
      }
    }
    if (points.empty())
      throw InputError({in_}, "there is no record of passes to draw",
                       "trace.svg needs a folder with the run.json of 'firth cluster'");
    return curve_svg(
        points,
        {.title = contents_.title, .x_label = "pass", .y_label = "average mutual information (bits)"});
  }

  static std::string title_from(const std::string& path) {
    std::filesystem::path name = std::filesystem::path(path).lexically_normal();
    if (!name.has_filename()) name = name.parent_path();
    return fmt::format("Word classes: {}", path == "-" ? "standard input" : name.filename().string());
  }

  void read_texts(const Clustering& clustering, Session& session) {
    if (texts_.empty()) return;
    counts_ = read_counts(session.text(texts_), {.text = text_}, session.run());
    contents_.counts = &counts_;
    bool counted = text_.format == InputFormat::counts;
    for (const std::string& path : texts_) counted = counted || path == "-" || is_count_file(path);
    if (!counted) contents_.lines = concordance(clustering, session.text(texts_), text_, {}, session.run());
  }

  std::string in_;
  std::string out_;
  std::vector<std::string> pictures_;
  TreePictureOptions tree_picture_;
  std::vector<std::string> texts_;
  std::string vectors_;
  std::string gold_;
  TagColumn tag_ = TagColumn::upos;
  std::string other_;
  TextOptions text_;
  ModelText model_text_;
  ReportContents contents_;
  Counts counts_;
};

}  // namespace

std::unique_ptr<Command> make_report_command() {
  return std::make_unique<ReportCommand>();
}

}  // namespace firth::cli
