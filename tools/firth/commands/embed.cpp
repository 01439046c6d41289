// firth embed: text in, word vectors out.
#include <fmt/format.h>

#include <algorithm>
#include <firth/count.hpp>
#include <firth/embed.hpp>
#include <firth/files.hpp>
#include <firth/run_record.hpp>
#include <utility>

#include "commands/commands.hpp"
#include "commands/spectral_options.hpp"
#include "shared_options.hpp"

namespace firth::cli {
namespace {

constexpr const char* kEmbedDescription =
    "Makes a vector of numbers for every word, from the singular value decomposition of how often it meets "
    "its contexts (Stratos et al. 2014, 2015). Writes vectors.npy (float32, one row per word), vectors.vocab "
    "(word and count, in the order of the rows) and run.json into a folder.";

class EmbedCommand : public Command {
 public:
  EmbedCommand() { texts_.tolerance = embedding_.tolerance; }

  std::string name() const override { return "embed"; }
  std::string summary() const override { return "makes word vectors by the spectral method"; }
  std::string description() const override { return kEmbedDescription; }

  std::vector<Example> examples() const override {
    return {{"firth embed text.txt -d 200 -o out", "Vectors of 200 numbers into the folder out."},
            {"firth embed text.txt -d 300 --transform sqrt -o out --word2vec vectors.txt",
             "Square roots of counts (best for word similarity), also as word2vec text."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options_ = &options;
    options.positionals("TEXT", inputs_, "Text or count files, folders, or - for standard input.");
    options.group("Vectors");
    options.text("-o,--output", "DIR", folder_, "Output folder; created if it does not exist.");
    options.writes_folder();
    options.require_last();
    options.number<std::size_t>("-d,--dim", "D", embedding_.dimensions, {1, 1u << 20}, "Vector dimension.");
    declare_spectral_options(options, texts_);
    options.choice(
        "--scale", embedding_.scale,
        {{"cca", CountScale::cca},
         {"ppmi", CountScale::ppmi},
         {"reg", CountScale::reg},
         {"raw", CountScale::raw}},
        "How pair counts are scaled: cca = by the square roots of both words' counts; ppmi = positive pointwise mutual information; reg = by the count of the word; raw = not at all.");
    options.choice(
        "--transform", embedding_.transform,
        {{"raw", CountTransform::raw}, {"sqrt", CountTransform::sqrt}, {"log", CountTransform::log}},
        "Transformation of the counts: raw = none; sqrt = square root; log = log(1 + count).");
    options.real("--exponent", "P", embedding_.exponent, {-2, 2},
                 "Multiply each dimension by this power of its singular value.");
    options.flag("--keep-length", keep_length_, "Do not normalise vectors to length 1.");
    declare_checkpoint_options(options, embedding_.checkpoint);
    options.text("--word2vec", "FILE", word2vec_, "Also write FILE as word2vec text.");
    options.writes_file();
    options.text("--word2vec-binary", "FILE", word2vec_binary_,
                 "Also write FILE in word2vec's binary format.");
    options.writes_file();
    declare_text_options(options, counting_.text);
    declare_vocabulary_options(options, counting_.vocabulary);
    session.declare(options, {.threads = true, .seed = true, .memory = true, .json = true, .text = true});
  }

  std::string why_not_on_ranks() const override { return ""; }

  void run(Session& session) override {
    embedding_.context = parse_context(texts_.context);
    embedding_.kappa = parse_kappa(texts_.kappa);
    embedding_.tolerance = texts_.tolerance;
    embedding_.unit_length = !keep_length_;
    counting_.distances = context_distances(embedding_.context);
    const auto options = options_->values();
    OutputTransaction outputs;
    if (session.is_root()) {
      files_ = expand_folders(session.text(inputs_));  // before there is output that could be among them
      outputs.claim_folder(folder_);
    }
    const Counts counts = read_counts(files_, counting_, session.run());
    const WordVectors vectors = embed_words(counts, embedding_, session.run());
    if (!session.is_root()) return;
    save_vectors(folder_ + "/vectors", vectors, VectorFormat::npy);
    if (!word2vec_.empty()) save_vectors(word2vec_, vectors, VectorFormat::word2vec);
    if (!word2vec_binary_.empty()) save_vectors(word2vec_binary_, vectors, VectorFormat::word2vec_binary);
    save_run_record(folder_ + "/run.json", record(counts, vectors, options, session));
    outputs.commit();
    session.report({{"folder", folder_},
                    {"words", static_cast<double>(vectors.vocabulary.size())},
                    {"dimensions", static_cast<double>(vectors.dimensions)},
                    {"kappa", vectors.svd.kappa}},
                   fmt::format("{} vectors of {} numbers -> {}", vectors.vocabulary.size(),
                               vectors.dimensions, folder_));
  }

 private:
  RunRecord record(const Counts& counts, const WordVectors& vectors,
                   std::vector<std::pair<std::string, std::string>> options, const Session& session) const {
    RunRecord record;
    record.command = "embed";
    record.options = std::move(options);
    record.inputs = describe_inputs(files_);
    record.figures = {{"tokens", static_cast<double>(counts.info().tokens)},
                      {"words", static_cast<double>(counts.vocabulary().size())},
                      {"dimensions", static_cast<double>(vectors.dimensions)},
                      {"kappa", vectors.svd.kappa}};
    record.series = {{"singular_values", vectors.svd.singular_values}, {"residuals", vectors.svd.residuals}};
    record.stages = session.stages();
    return record;
  }

  std::vector<std::string> inputs_;
  Inputs files_;
  std::string folder_;
  CountOptions counting_;
  EmbedOptions embedding_;
  SpectralTexts texts_;
  bool keep_length_ = false;
  std::string word2vec_;
  std::string word2vec_binary_;
  const OptionTable* options_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_embed_command() {
  return std::make_unique<EmbedCommand>();
}

}  // namespace firth::cli
