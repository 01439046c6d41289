#include <firth/class_lm.hpp>
#include <firth/error.hpp>
#include <firth/files.hpp>

#include "commands/commands.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

class LmExportCommand final : public Command {
 public:
  std::string name() const override { return "lm export"; }
  std::string summary() const override { return "writes a model as ARPA, SRILM classes, or mapped text"; }
  std::string description() const override {
    return "Writes what other tools read: the n-grams (of classes, if it is a class model) as ARPA, the "
           "classes in "
           "SRILM's classes-format, a class model expanded to an ARPA file over words, or text with every "
           "word "
           "replaced by its class. With --model it also turns an ARPA file into a model of Firth, which "
           "loads faster.";
  }
  std::vector<Example> examples() const override {
    return {{"firth lm export class.lm --arpa class.arpa --srilm-classes class.classes", "for SRILM"},
            {"firth lm export class.lm --expanded-arpa word.arpa", "for KenLM, over words"},
            {"firth lm export class.lm --map-text mapped.txt text.txt", "for other trainers of n-grams"},
            {"firth lm export model.arpa --model model.lm", "an ARPA file as a model of Firth"}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("MODEL", model_, "A model of Firth, or an ARPA file.");
    options.positionals("TEXT", inputs_, "Text for --map-text.", false);
    options.group("Output");
    options.text("--arpa", "FILE", arpa_, "The n-grams as ARPA.");
    options.writes_file();
    options.text("--srilm-classes", "FILE", srilm_, "The classes: lines of CLASS probability word.");
    options.writes_file();
    options.text("--expanded-arpa", "FILE", expanded_, "A class model as n-grams of words.");
    options.writes_file();
    options.real(
        "--prune", "X", prune_, {0, 1},
        "With --expanded-arpa, drop n-grams whose weighted change in log-probability is below X; 0 keeps all.");
    options.text("--map-text", "FILE", mapped_, "TEXT with every word replaced by its class.");
    options.writes_file();
    options.text("--model", "FILE", binary_, "The model in Firth's own format.");
    options.writes_file();
    options.text("--classes", "FILE", classes_,
                 "Classes of an ARPA file over classes: lines of CLASS probability word.");
    declare_text_options(options, text_);
    session.declare(options, {.memory = true});
  }

  void run(Session& session) override {
    if (arpa_.empty() && srilm_.empty() && expanded_.empty() && mapped_.empty() && binary_.empty()) {
      throw UsageError("nothing to write", "name an output, e.g. --arpa FILE");
    }
    if (mapped_.empty() != inputs_.empty()) {
      throw UsageError("--map-text and text go together", "firth lm export MODEL --map-text OUT TEXT");
    }
    const LanguageModel model = load_lm(model_, classes_, session.run());
    OutputTransaction outputs;
    if (!arpa_.empty()) save_arpa(arpa_, model);
    if (!srilm_.empty()) save_srilm_classes(srilm_, model);
    if (!expanded_.empty()) save_expanded_arpa(expanded_, model, prune_, session.run());
    if (!mapped_.empty()) map_text(mapped_, inputs_, model, text_, session.run());
    if (!binary_.empty()) save_lm(binary_, model);
    outputs.commit();
  }

 private:
  std::string model_;
  std::vector<std::string> inputs_;
  std::string arpa_;
  std::string srilm_;
  std::string expanded_;
  std::string mapped_;
  std::string binary_;
  std::string classes_;
  double prune_ = 1e-8;
  TextOptions text_;
};

}  // namespace

std::unique_ptr<Command> make_lm_export_command() {
  return std::make_unique<LmExportCommand>();
}

}  // namespace firth::cli
