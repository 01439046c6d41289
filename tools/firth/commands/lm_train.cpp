#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <firth/class_lm.hpp>
#include <firth/error.hpp>
#include <firth/lm_counts.hpp>
#include <firth/lm_recipe.hpp>
#include <optional>
#include <string_view>

#include "commands/commands.hpp"
#include "model_text.hpp"
#include "progress_bar.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

enum class LmRecipe { none, best };

constexpr const char* kOtherSpelling =
    "the text of {} was read in another way than that of {}: many words may be unknown ('firth lm count' has "
    "--lowercase, --tokenize and --normalize)";

constexpr const char* kNotOnRanks =
    "'lm train' does not run on several ranks; 'lm count' does, and its file is for 'lm train --from-counts'";

bool is_given(const OptionTable& options, std::string_view name) {
  const auto& infos = options.infos();
  return std::any_of(infos.begin(), infos.end(), [&](const OptionInfo& info) {
    return std::string_view(info.names).substr(0, info.names.find(';')) == name && info.given();
  });
}

/// What a recipe chooses itself.
void refuse_choices(const OptionTable& options) {
  for (const char* name :
       {"--classes", "--words", "--from-counts", "--order", "--smoothing", "--emission", "--no-boundaries"}) {
    if (!is_given(options, name)) continue;
    throw UsageError(fmt::format("{} and --recipe best contradict each other", name),
                     "the recipe chooses it: leave it out");
  }
}

/// What was decided when the text was counted.
void refuse_reading(const OptionTable& options) {
  std::vector<std::string> given = options.given_in_group("Text");
  if (is_given(options, "--no-boundaries")) given.emplace_back("--no-boundaries");
  if (given.empty()) return;
  throw UsageError(fmt::format("{} and --from-counts contradict each other", given.front()),
                   fmt::format("the text was read by 'firth lm count': give {} there", given.front()));
}

/// Whether words of the classes look like those of the counts.
bool spelled_alike(const Clustering& classes, const LmCountsInfo& counts) {
  const std::optional<Preprocessing> own = classes.preprocessing();
  if (!own || !counts.preprocessing) return true;
  Preprocessing as_counted = *counts.preprocessing;
  as_counted.boundaries = own->boundaries;
  return as_counted == *own;
}

/// --classes is a number in firth cluster.
void refuse_number(const std::string& classes) {
  const bool is_number = !classes.empty() && classes.find_first_not_of("0123456789") == std::string::npos;
  if (is_number && !std::filesystem::exists(classes))
    throw UsageError(
        fmt::format("--classes {}: a folder or file of classes is needed, and this is a number", classes),
        fmt::format("make the classes first: firth cluster TEXT -c {} -o DIR", classes));
}

/// -o is the order in KenLM's lmplz.
void refuse_order_as_name(const std::string& output) {
  if (output.size() != 1 || output.front() < '1' || output.front() > '9') return;
  throw UsageError(fmt::format("-o {}: -o names the file of the model, and this looks like an order", output),
                   fmt::format("lmplz's -o is --order here; for a file called {0}, give -o ./{0}", output));
}

class LmTrainCommand final : public Command {
 public:
  std::string name() const override { return "lm train"; }
  std::string summary() const override { return "trains a class or word n-gram model"; }
  std::string description() const override {
    return "Trains an n-gram model of classes, p(word | class) p(class | classes before it), or, with --words, of words. Unknown words are <unk>, sentences start with <s> and end with </s>, and every word of the vocabulary gets a probability, seen or not. With both --words and --classes, the word model has the vocabulary of the classes, so that the two can be compared and mixed. With --recipe best, everything is chosen on a twentieth of the text, which is held out. With --from-counts, the inputs are files of `firth lm count`; the model is the same, byte for byte, as that of all texts together.";
  }
  std::vector<Example> examples() const override {
    return {
        {"firth lm train --classes out text.txt -o class.lm",
         "a trigram model over the classes in folder out"},
        {"firth lm train --words --min-count 2 text.txt -o word.lm", "a word trigram model"},
        {"firth lm train --recipe best text.txt -o best.lm", "words and classes mixed; nothing to choose"},
        {"firth lm train --words --from-counts part1.ngrams part2.ngrams -o word.lm",
         "from n-grams that were counted in parts"}};
  }

  std::string why_not_on_ranks() const override { return kNotOnRanks; }

  void declare(OptionTable& options, Session& session) override {
    table_ = &options;
    options.positionals(
        "TEXT", inputs_,
        "Files or folders to learn from; - is standard input. With --from-counts files of n-grams.");
    options.group("Model");
    options.text("-o,--output", "MODEL", output_, "Output file.");
    options.writes_model();
    options.require_last();
    options.text(
        "--classes;--clusters", "DIR|FILE", classes_,
        "The classes: a folder of `firth cluster`, or a file in any format that `firth convert` reads.");
    options.flag("--words;--word-model", words_, "A model of words instead of classes.");
    options.choice(
        "--recipe", recipe_, {{"none", LmRecipe::none}, {"best", LmRecipe::best}},
        "best = a mixture of a word model and models over classes of three sizes, which it makes itself; sizes, orders and weights are chosen on sentences that are held out. Words that are too rare for the size of the text are left out unless a vocabulary option is given.");
    options.flag(
        "--from-counts", from_counts_,
        "The inputs are files of `firth lm count`, made with the same options; the order is theirs unless a lower one is given.");
    options.number<int>("--order", "N", options_.order, {1, 6}, "Length of the n-grams.");
    options.field_of_last("LmTrainOptions::order");
    options.choice(
        "--smoothing", options_.smoothing,
        {{"kneser-ney", LmSmoothing::kneser_ney},
         {"witten-bell", LmSmoothing::witten_bell},
         {"none", LmSmoothing::none}},
        "How n-grams are smoothed: interpolated modified Kneser-Ney, interpolated Witten-Bell, or none (unseen n-grams get probability zero).");
    options.choice(
        "--emission", options_.emission,
        {{"discounted", LmEmission::discounted}, {"frequency", LmEmission::frequency}},
        "p(word | class): discounted = with a discount that all words of the class share; frequency = relative frequency (words of the class that are not in the text get probability zero).");
    options.flag("--no-boundaries", no_boundaries_,
                 "No <s> and </s>: the first word of a line is context only (order 1 or 2).");
    model_text_.declare(options, options_.text);
    declare_vocabulary_options(options, vocabulary_);
    session.declare(options, {.seed = true, .memory = true, .json = true, .text = true});
  }

  void run(Session& session) override {
    refuse_order_as_name(output_);
    if (recipe_ == LmRecipe::best) return run_recipe(session);
    refuse_number(classes_);
    if (!words_ && classes_.empty()) {
      throw UsageError("neither --classes nor --words",
                       "give --classes DIR for a class model, or --words for a word model");
    }
    if (!classes_.empty() && vocabulary_.restricts()) {
      throw UsageError("--classes and vocabulary options contradict each other",
                       "the words are those of the classes");
    }
    options_.boundaries = !no_boundaries_;
    if (from_counts_) refuse_reading(*table_);
    const LanguageModel model = train(session);
    save_lm(output_, model);
    const LmPart part = model.parts().front();
    std::string ngrams;
    Figures figures = {{"file", output_}, {"words", static_cast<double>(model.word_count() - kSpecialWords)}};
    if (part.classes) figures.emplace_back("classes", static_cast<double>(part.symbols - kSpecialWords));
    for (std::size_t i = 0; i < part.ngrams.size(); ++i) {
      ngrams += fmt::format("{}{} {}-grams", i == 0 ? "" : ", ", grouped(part.ngrams[i]), i + 1);
      figures.emplace_back(fmt::format("ngrams_{}", i + 1), static_cast<double>(part.ngrams[i]));
    }
    session.report(
        figures,
        fmt::format("{}: {}{}, {}", output_, counted(model.word_count() - kSpecialWords, "word", "words"),
                    part.classes ? " in " + counted(part.symbols - kSpecialWords, "class", "classes") : "",
                    ngrams));
  }

 private:
  static constexpr std::size_t kSpecialWords = 3;

  void run_recipe(Session& session) {
    refuse_choices(*table_);
    LmRecipeOptions options{options_.text, vocabulary_};
    options.fit_vocabulary = !vocabulary_.restricts();
    const LmRecipeResult result = train_best_lm(session.text(inputs_), options, session.run());
    save_lm(output_, result.model);
    Figures figures = {{"file", output_},
                       {"words", static_cast<double>(result.model.word_count() - kSpecialWords)},
                       {"held_out_sentences", static_cast<double>(result.held_out)},
                       {"held_out_perplexity", result.perplexity}};
    for (const LmRecipePart& part : result.parts) {
      const std::string name = part.classes == 0 ? "words" : fmt::format("{} classes", part.classes);
      session.say(fmt::format("{:.4f}  {}, order {}: held-out perplexity {:.2f} alone", part.weight, name,
                              part.order, part.perplexity));
      figures.emplace_back(fmt::format("{}, order {}", name, part.order), part.weight);
    }
    session.report(figures, fmt::format("{}: {}, held-out perplexity {:.2f} on {} of {}", output_,
                                        counted(result.model.word_count() - kSpecialWords, "word", "words"),
                                        result.perplexity, grouped(result.held_out),
                                        counted(result.sentences, "sentence", "sentences")));
  }

  LanguageModel train_from_counts(Session& session) {
    const LmCounts counts = load_lm_counts(inputs_, session.run());
    if (!is_given(*table_, "--order")) options_.order = counts.info().order;
    if (classes_.empty()) return train_word_lm(counts, vocabulary_, options_, session.run());
    const Clustering classes = load_clustering(classes_, ClusterFormat::automatic, session.run());
    if (!spelled_alike(classes, counts.info()))
      session.run().progress->warn(fmt::format(kOtherSpelling, inputs_.front(), classes_));
    if (words_) return train_word_lm(counts, classes.vocabulary(), options_, session.run());
    return train_class_lm(counts, classes, options_, session.run());
  }

  LanguageModel train(Session& session) {
    if (from_counts_) return train_from_counts(session);
    if (classes_.empty()) return train_word_lm(session.text(inputs_), vocabulary_, options_, session.run());
    const Clustering classes = load_clustering(classes_, ClusterFormat::automatic, session.run());
    model_text_.follow(classes.preprocessing(), classes_, inputs_, session, FollowWhat::words);
    if (words_) return train_word_lm(session.text(inputs_), classes.vocabulary(), options_, session.run());
    return train_class_lm(session.text(inputs_), classes, options_, session.run());
  }

  std::vector<std::string> inputs_;
  std::string output_;
  std::string classes_;
  bool words_ = false;
  bool from_counts_ = false;
  LmRecipe recipe_ = LmRecipe::none;
  const OptionTable* table_ = nullptr;
  bool no_boundaries_ = false;
  LmTrainOptions options_;
  ModelText model_text_;
  VocabularyOptions vocabulary_;
};

}  // namespace

std::unique_ptr<Command> make_lm_train_command() {
  return std::make_unique<LmTrainCommand>();
}

}  // namespace firth::cli
