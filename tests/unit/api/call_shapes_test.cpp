// Every public function can be called the short way: paths as plain text, options in braces, the run left out. Nothing here
// is run but the test at the end; what counts is that it compiles.
#include <gtest/gtest.h>
#include <firth/firth.hpp>

namespace firth {
namespace {

template <typename... Values>
void use(const Values&... /*values*/) {}

void counts_and_classes(const Counts& counts, const Clustering& clustering, const WordVectors& vectors) {
  use(count_text("a", {}), count_text({"a", "b"}, {.distances = {1, 2}}),
      count_text(Inputs::from_text("a b"), {}));
  use(read_counts("a", {}), load_counts("a"), is_count_file("a"),
      restrict_vocabulary(counts, {.min_count = 2}));
  use(cluster(counts, AutoOptions{}), cluster(counts, cluster_method("brown")),
      cluster_auto(counts, {.classes = 5}));
  use(cluster_exchange(counts, {}), cluster_brown(counts, {}), cluster_spectral(counts, {}),
      cluster_svd2(counts, {}), cluster_pos(counts, {}), choose_classes(counts),
      estimate_clustering(counts, AutoOptions{}));
  use(build_tree(counts, clustering.classes()), assign_words(clustering, counts, {}),
      refine_cuts(counts, clustering, {2, 4}));
  use(cut_at_depth(clustering, 3), make_codes(clustering, {}), load_constraints("a"));
  use(load_clustering("a"), parse_clustering("0\ta\t1\n", "name"),
      format_clustering(clustering, ClusterFormat::paths));
  use(embed_words(counts, {}), load_vectors("a"), nearest_words(vectors, vectors.row(0), 3),
      cluster_vectors(vectors, {}));
  use(evaluate_clustering(clustering, counts), describe_clustering(clustering),
      average_mutual_information(counts, {}));
  use(build_report(clustering, {}), describe_inputs("a"), describe_inputs({"a", "b"}));
  save_counts("a", counts);
  save_clustering("a", clustering, ClusterFormat::paths);
  save_vectors("a", vectors, VectorFormat::npy);
}

void models(const Clustering& clustering) {
  const LanguageModel lm = train_class_lm("a", clustering, {});
  use(train_word_lm({"a", "b"}, VocabularyOptions{}, {.order = 2}), score_text(lm, "a"), load_lm("a"),
      mix_models({}, {}));
  use(tune_weights({}, "a", {}));
  map_text("out", "a", lm, {});
  save_lm("a", lm);
  const HmmModel hmm = train_hmm("a", {.states = 5}).model;
  decode_text(hmm, "a", {}, [](auto words, auto states) { use(words, states); });
  use(hmm_log_likelihood(hmm, "a", {}), load_hmm("a"));
  const std::vector<TaggedSentence> sentences = read_tagged("a", {});
  const Tagger tagger = train_tagger(sentences, {}, {});
  use(score_tagger(tagger, sentences, {}), score_tagged_file("a", {}), load_tagger("a"),
      sample_sentences(sentences, 10, 1));
  tag_files(tagger, "a", {}, [](std::string_view piece) { use(piece); });
  write_features(clustering, "a", {}, [](std::string_view piece) { use(piece); });
  use(read_tagged_text("a", {}), score_against_gold(read_tagged_text("a", {}), clustering, {}));
}

void trees() {
  const Lpcfg grammar = train_lpcfg("a", {});
  const Parser parser(grammar, {});
  const std::vector<ParserToken> words = {{"We"}, {"saw"}};
  use(parser.parse(words), load_lpcfg("a"), score_parses("a", "b"), parse_trees("(S (N a))", "name"));
  parse_text(parser, "a", [](const ParseResult& result) { use(result); });
  TreeReader reader("a", TreeLayout::free);
  use(reader.left_out());
}

TEST(CallShapes, CanBeShort) {
  use(&counts_and_classes, &models, &trees);
  EXPECT_EQ(count_text(Inputs::from_text("a b\n"), {}).info().tokens, 2U);
}

}  // namespace
}  // namespace firth
