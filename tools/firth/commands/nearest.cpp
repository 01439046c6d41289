// firth nearest: the words whose vectors are closest to those of others.
#include <fmt/format.h>

#include <filesystem>
#include <firth/embed.hpp>
#include <firth/error.hpp>
#include <system_error>

#include "commands/commands.hpp"
#include "commands/terminal_text.hpp"

namespace firth::cli {
namespace {

class NearestCommand : public Command {
 public:
  std::string name() const override { return "nearest"; }
  std::string summary() const override { return "lists the words closest to a word, by their vectors"; }
  std::string description() const override {
    return "Prints, for each WORD, the words whose vectors have the highest cosine with its own: the word, its neighbour and the cosine, separated by tabs. Reads the vectors of 'firth embed', or any in word2vec's formats.";
  }

  std::vector<Example> examples() const override {
    return {{"firth nearest out Monday red", "The ten nearest neighbours of each of the two words."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("VECTORS", vectors_, "A folder with vectors.npy, or a file of vectors.");
    options.positionals("WORD", words_, "Words to look up.");
    options.group("Output");
    options.number<std::size_t>("-n,--count", "N", count_, {1, 1u << 30},
                                "Number of neighbours to list for each word.");
    session.declare(options, {.threads = false, .json = true});
  }

  void run(Session& session) override {
    std::error_code unreadable;  // said better by load_vectors()
    if (std::filesystem::is_directory(vectors_, unreadable) &&
        !std::filesystem::exists(vectors_ + "/vectors.npy", unreadable))
      throw InputError({vectors_}, "the folder has no vectors",
                       std::filesystem::exists(vectors_ + "/classes.tsv", unreadable)
                           ? "'firth show' shows classes; 'firth embed' makes vectors"
                           : "make some with 'firth embed'");
    const WordVectors vectors = load_vectors(vectors_, session.run());
    const WordIndex index(vectors.vocabulary);
    for (const std::string& word : words_) {
      const std::optional<WordId> id = index.find(word);
      if (!id)
        throw InputError({vectors_}, fmt::format("the word '{}' has no vector", shown_word(word)),
                         spelling_advice(vectors.vocabulary, word));
      // The word itself comes first, and is not shown.
      for (const Neighbour& near : nearest_words(vectors, vectors.row(*id), count_ + 1)) {
        if (near.word == *id) continue;
        const std::string_view found = vectors.vocabulary.word(near.word);
        if (session.json()) {
          session.report({{"word", word}, {"neighbour", std::string(found)}, {"cosine", near.cosine}}, "");
        } else {
          session.print(fmt::format("{}\t{}\t{:.4f}\n", word, found, near.cosine));
        }
      }
    }
  }

 private:
  std::string vectors_;
  std::vector<std::string> words_;
  std::size_t count_ = 10;
};

}  // namespace

std::unique_ptr<Command> make_nearest_command() {
  return std::make_unique<NearestCommand>();
}

}  // namespace firth::cli
