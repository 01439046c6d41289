#include "commands/tag_options.hpp"

#include <fmt/format.h>

#include <firth/clustering.hpp>
#include <firth/embed.hpp>
#include <limits>

#include "shared_options.hpp"

namespace firth::cli {

void declare_token_options(OptionTable& options, TokenOptions& tokens) {
  options.group("Tokens");
  options.choice(
      "--format", tokens.format,
      {{"auto", TokenFormat::automatic},
       {"text", TokenFormat::text},
       {"columns", TokenFormat::columns},
       {"conllu", TokenFormat::conllu}},
      "text = one sentence per line, words separated by white space; columns = CoNLL: one word per line, columns separated by tabs or blanks, a blank line after each sentence; conllu = CoNLL-U; auto = detect: by the first sentence, or a name that ends in .conll. Files may be compressed.");
  options.field_of_last("TokenOptions::format");
  options.column(
      "--word-column", tokens.word_column,
      "Column of the words, from 1; negative numbers count from the last, -1. auto = the first; in CoNLL-U "
      "the form.");
  options.field_of_last("TokenOptions::word_column");
  options.column(
      "--tag-column", tokens.tag_column,
      "Column of the tags, counted in the same way. auto = the last; in CoNLL-U 4, the universal part of speech "
      "(5 is the language's own).");
  options.field_of_last("TokenOptions::tag_column");
  options.choice(
      "--invalid-utf8", tokens.invalid_utf8,
      {{"error", InvalidUtf8::error}, {"replace", InvalidUtf8::replace}},
      "What to do with NUL bytes and bytes that are not UTF-8: stop and say where, or put U+FFFD in their place.");
}

void declare_class_features(OptionTable& options, ClassFeatureChoice& choice) {
  options.group("Class features");
  options.numbers<int>(
      "--prefixes", "N,N...", choice.options.prefixes, {1, 255},
      "Lengths of the bit-string prefixes that are features; classes without a tree have none.");
  options.flag("--no-bits", choice.no_bits,
               "Leave out the whole bit string (or, without a tree, the number of the class).");
  options.numbers<ClassId>("--cuts", "K,K...", choice.options.cuts,
                           {1, std::numeric_limits<ClassId>::max() - 1},
                           "Also use the classes of the tree cut at these numbers of classes.");
  options.choice(
      "--unknown", choice.options.unknown,
      {{"spelling", UnknownWordClass::spelling},
       {"lowercase", UnknownWordClass::lowercase},
       {"none", UnknownWordClass::none}},
      "Class of a word that was not clustered: spelling = that of its lower-case form, or else by its spelling as in firth assign; lowercase = that of its lower-case form only; none = no class.");
}

void declare_training(OptionTable& options, TaggerOptions& training) {
  options.group("Training");
  options.choice(
      "--recipe", training.recipe,
      {{"best", TagRecipe::best}, {"fast", TagRecipe::fast}, {"small", TagRecipe::small}},
      "best = the highest accuracy; fast = without features of several words: tags faster; small = a small file, "
      "with fewer, rounded weights, compressed.");
  options.field_of_last("TaggerOptions::recipe");
  options.choice(
      "--scheme", training.scheme,
      {{"auto", TagScheme::automatic},
       {"bio", TagScheme::bio},
       {"bilou", TagScheme::bilou},
       {"plain", TagScheme::plain}},
      "How entities are marked inside the tagger, whatever the file uses (BIO, IO, BILOU, BIOES); plain = "
      "tags as they are; auto = bilou for entity tags, plain for others.");
  options.field_of_last("TaggerOptions::scheme");
  options.choice(
      "--objective", training.objective,
      {{"auto", TagObjective::automatic},
       {"crf", TagObjective::crf},
       {"perceptron", TagObjective::perceptron}},
      "crf = a conditional random field: better; perceptron = an averaged perceptron whose features see two "
      "tags before: for very many tags; auto = crf for up to 128 tags, perceptron for more.");
  options.field_of_last("TaggerOptions::objective");
  options.number<int>("--passes", "N", training.passes, {1, 1000}, "Number of training epochs.");
  options.number<int>(
      "--trainings", "N", training.trainings, {1, 100},
      "For crf: train N times, each time with the sentences in other orders, and keep the mean of the weights.");
  options.number_or<int>(
      "--beam", "N", training.beam, {1, 10000}, {"viterbi", 0},
      "Width of the beam: 1 = greedy, from left to right; viterbi = exact. Default: viterbi "
      "for a conditional random field, 4 for a perceptron.");
  options.real(
      "--recall-cost", "X", training.recall_cost, {0, 20},
      "For crf: margin by which an entity must win in training. A higher value finds more entities, of which fewer are right.");
  options.real(
      "--min-weight", "X", training.min_weight, {0, 1},
      "For crf: leave out weights whose absolute value is below X. 0.1 makes a small model that is a little worse.");
  declare_spelling(options, training.words);
  options.real("--vector-length", "X", training.vector_length, {1e-6, 1e6},
               "Scale word vectors to this length (binary features count 1).");
}

TaggerKnowledge load_knowledge(const std::vector<std::string>& clusters,
                               const std::vector<std::string>& vectors, const ClassFeatureOptions& features,
                               const RunOptions& run) {
  TaggerKnowledge knowledge;
  for (const std::string& path : clusters)
    knowledge.classes.push_back({load_clustering(path, ClusterFormat::automatic, run), features});
  for (const std::string& path : vectors) knowledge.vectors.push_back(load_vectors(path, run));
  return knowledge;
}

std::string percent(double fraction) {
  return fmt::format("{:.2f}", 100 * fraction);
}

}  // namespace firth::cli
