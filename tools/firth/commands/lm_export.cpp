#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <firth/class_lm.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <limits>
#include <numeric>

#include "commands/commands.hpp"
#include "model_text.hpp"

namespace firth::cli {
namespace {

/// What is to be written; empty = not.
struct Outputs {
  std::string arpa;
  std::string srilm;
  std::string expanded;
  std::string mapped;
  std::string binary;
};

/// Text that shows what a smaller model costs.
struct HeldOut {
  Inputs inputs;
  TextOptions text;
  const RunOptions& run;

  std::string compare(const LanguageModel& model, const LanguageModel& smaller, std::string_view name,
                      Figures& figures) const {
    const double before = score_text(model, inputs, {.text = text}, {}, run).perplexity();
    const double after = score_text(smaller, inputs, {.text = text}, {}, run).perplexity();
    figures.emplace_back("perplexity", before);
    figures.emplace_back("perplexity_written", after);
    return fmt::format("held-out perplexity {:.4f} of the model, {:.4f} of the {} ({:+.3f} %)", before, after,
                       name, 100 * (after / before - 1));
  }
};

/// What was written, and how large that is and what it was made of.
std::string sizes(const std::string& written, const std::string& from, Figures& figures) {
  const auto bytes = [](const std::string& path) -> std::uint64_t {
    std::error_code unknown;
    return std::filesystem::is_regular_file(path, unknown) ? std::filesystem::file_size(path, unknown) : 0;
  };
  const std::uint64_t after = bytes(written);
  const std::uint64_t before = bytes(from);
  figures.emplace_back("bytes", static_cast<double>(after));
  const std::string text = fmt::format("{}: {} bytes", written, grouped(after));
  return before > 0 ? fmt::format("{} ({}: {})", text, from, grouped(before)) : text;
}

Figures written_files(const Outputs& outputs) {
  Figures files;
  for (const auto& [name, path] : {std::pair{"arpa", outputs.arpa},
                                   {"srilm_classes", outputs.srilm},
                                   {"mapped_text", outputs.mapped},
                                   {"firth", outputs.binary}}) {
    if (!path.empty()) files.emplace_back(name, path);
  }
  return files;
}

std::uint64_t ngram_count(const LanguageModel& model) {
  const std::vector<std::uint64_t> ngrams = model.parts().front().ngrams;
  return std::accumulate(ngrams.begin(), ngrams.end(), std::uint64_t{0});
}

/// The model as one of words; loses n-grams until the file is small enough (0 = it may have any size).
LanguageModel expanded(const LanguageModel& model, const LmExpandOptions& options, std::uint64_t max_bytes,
                       const RunOptions& run) {
  LanguageModel plain = expand_lm(model, options, run);
  for (std::uint64_t bytes = arpa_bytes(plain); max_bytes > 0 && bytes > max_bytes;
       bytes = arpa_bytes(plain)) {
    constexpr double kMargin = 0.99;  // n-grams that stay are longer than those that go, or shorter
    const double share = kMargin * static_cast<double>(max_bytes) / static_cast<double>(bytes);
    const auto ngrams = static_cast<std::uint64_t>(static_cast<double>(ngram_count(plain)) * share);
    plain = expand_lm(plain, {.max_ngrams = std::max<std::uint64_t>(1, ngrams)}, run);
  }
  return plain;
}

class LmExportCommand final : public Command {
 public:
  std::string name() const override { return "lm export"; }
  std::string summary() const override { return "writes a model as ARPA, SRILM classes, or mapped text"; }
  std::string description() const override {
    return "Writes what other tools read: the n-grams (of classes, if it is a class model) as ARPA, the classes in SRILM's classes-format, any model, also a mixture, as one ARPA file over words, or text with every word replaced by its class. With --firth it also turns an ARPA file into a model of Firth, which loads faster, or (--quantize) a model into a smaller one.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm export class.lm --arpa class.arpa --srilm-classes class.classes", "for SRILM"},
            {"firth lm export mixed.lm --expanded-arpa mixed.arpa --max-ngrams 5000000 --held-out dev.txt",
             "a mixture as one ARPA file for KenLM or Kaldi, and what pruning costs"},
            {"firth lm export class.lm --map-text mapped.txt text.txt", "for other trainers of n-grams"},
            {"firth lm export model.arpa --firth model.lm", "an ARPA file as a model of Firth"},
            {"firth lm export model.lm --firth small.lm --quantize --held-out dev.txt",
             "a smaller model, and what it costs"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model of Firth, or an ARPA file.");
    options.positionals("TEXT", inputs_, "Text for --map-text.", false);
    options.group("Output");
    options.text("--arpa", "FILE", outputs_.arpa, "The n-grams as ARPA.");
    options.writes_file();
    options.text("--srilm-classes", "FILE", outputs_.srilm, "The classes: lines of CLASS probability word.");
    options.writes_file();
    options.text("--expanded-arpa", "FILE", outputs_.expanded,
                 "The whole model, with classes or a mixture, as one ARPA file over words.");
    options.writes_file();
    options.text("--map-text", "FILE", outputs_.mapped, "TEXT with every word replaced by its class.");
    options.writes_file();
    options.text("--firth;--model", "FILE", outputs_.binary, "The model in Firth's own format.");
    options.writes_model();
    options.flag("--quantize", quantize_,
                 "With --firth: one of 256 values for the probability of each n-gram of two words or more, a "
                 "byte in the place of eight.");
    options.text("--classes", "FILE", classes_,
                 "Classes of an ARPA file over classes: lines of CLASS probability word.");
    declare_pruning(options);
    options.group("With --expanded-arpa or --quantize");
    options.texts("--held-out", "TEXT", held_out_,
                  "Print the perplexity of this text under the model and under the written file.");
    model_text_.declare(options, text_);
    session.declare(options, {.memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    if (outputs_.arpa.empty() && outputs_.srilm.empty() && outputs_.expanded.empty() &&
        outputs_.mapped.empty() && outputs_.binary.empty()) {
      throw UsageError("nothing to write", "name an output, e.g. --arpa FILE");
    }
    if (outputs_.mapped.empty() != inputs_.empty()) {
      throw UsageError("--map-text and text go together", "firth lm export MODEL --map-text OUT TEXT");
    }
    const LanguageModel model = load_lm(model_, classes_, session.run());
    check_options();
    if (!outputs_.mapped.empty()) model_text_.follow(model.preprocessing(), model_, inputs_, session);
    if (!held_out_.empty()) model_text_.follow(model.preprocessing(), model_, held_out_, session);
    OutputTransaction outputs;
    if (!outputs_.arpa.empty()) save_arpa(outputs_.arpa, model);
    if (!outputs_.srilm.empty()) save_srilm_classes(outputs_.srilm, model);
    if (!outputs_.expanded.empty()) write_expanded(model, session);
    if (!outputs_.mapped.empty())
      map_text(outputs_.mapped, session.text(inputs_), model, text_, session.run());
    const LanguageModel small = quantize_ ? quantize_lm(model, session.run()) : model;
    if (!outputs_.binary.empty()) save_lm(outputs_.binary, small);
    outputs.commit();
    if (session.json() && outputs_.expanded.empty() && !quantize_)
      session.report(written_files(outputs_), "");
    if (quantize_) report_quantized(model, small, session);
  }

 private:
  void check_options() const {
    if (outputs_.expanded.empty() && (expand_.prune > 0 || expand_.max_ngrams > 0 || max_bytes_ > 0)) {
      throw UsageError("--prune, --max-ngrams and --size are about --expanded-arpa",
                       "add --expanded-arpa FILE; it takes every model");
    }
    if (quantize_ && !outputs_.expanded.empty()) {
      throw UsageError("--quantize and --expanded-arpa are about two models", "export one after the other");
    }
    if (quantize_ && outputs_.binary.empty()) {
      throw UsageError("--quantize is about --firth", "add --firth FILE; ARPA files have numbers as text");
    }
    if (outputs_.expanded.empty() && !quantize_ && !held_out_.empty()) {
      throw UsageError("--held-out is about --expanded-arpa or --quantize",
                       "firth lm score MODEL TEXT has the perplexity of the model");
    }
  }

  void declare_pruning(OptionTable& options) {
    options.group("With --expanded-arpa");
    options.real(
        "--threshold", "X", expand_.threshold, {0, 1},
        "Of a class model, leave out word n-grams whose weighted change in log-probability is below X; 0 keeps all.");
    options.field_of_last("LmExpandOptions::threshold");
    options.real(
        "--prune", "X", expand_.prune, {0, 1},
        "Then drop n-grams whose loss raises the perplexity by less than this share (relative entropy, "
        "as SRILM's -prune); 0 = none.");
    options.number<std::uint64_t>(
        "--max-ngrams", "N", expand_.max_ngrams, {0, std::numeric_limits<std::uint64_t>::max()},
        "Keep at most N n-grams, those whose loss would be largest; 0 = any number.");
    options.field_of_last("LmExpandOptions::max_ngrams");
    options.size("--size", max_bytes_, "Maximum size of the file before compression, e.g. 50M.");
  }

  void write_expanded(const LanguageModel& model, Session& session) {
    const LanguageModel plain = expanded(model, expand_, max_bytes_, session.run());
    save_arpa(outputs_.expanded, plain);
    std::string counts;
    Figures figures = {{"file", outputs_.expanded}};
    const std::vector<std::uint64_t> ngrams = plain.parts().front().ngrams;
    for (std::size_t i = 0; i < ngrams.size(); ++i)
      counts += fmt::format("{}{} {}-grams", i == 0 ? "" : ", ", grouped(ngrams[i]), i + 1);
    for (std::size_t i = 0; i < ngrams.size(); ++i)
      figures.emplace_back(fmt::format("ngrams_{}", i + 1), static_cast<double>(ngrams[i]));
    std::string text = fmt::format("{}: {}", outputs_.expanded, counts);
    if (!held_out_.empty()) text += "\n" + held_out(session).compare(model, plain, "ARPA file", figures);
    session.report(figures, text);
  }

  void report_quantized(const LanguageModel& model, const LanguageModel& small, Session& session) const {
    Figures figures = written_files(outputs_);
    std::string text = sizes(outputs_.binary, model_, figures);
    if (!held_out_.empty())
      text += "\n" + held_out(session).compare(model, small, "quantised model", figures);
    session.report(figures, text);
  }

  HeldOut held_out(Session& session) const { return {session.text(held_out_), text_, session.run()}; }

  std::string model_;
  std::vector<std::string> inputs_;
  Outputs outputs_;
  std::string classes_;
  LmExpandOptions expand_;
  bool quantize_ = false;
  std::uint64_t max_bytes_ = 0;
  std::vector<std::string> held_out_;
  TextOptions text_;
  ModelText model_text_;
};

}  // namespace

std::unique_ptr<Command> make_lm_export_command() {
  return std::make_unique<LmExportCommand>();
}

}  // namespace firth::cli
