// A sequence tagger (named entities, parts of speech, chunks) that makes use of classes of words.
//
//   const std::vector<firth::ClassSource> classes = {{firth::load_clustering("out"), {}}};
//   const std::vector<firth::TaggedSentence> sentences = firth::read_tagged("train.conll", {}, {});
//   const firth::Tagger tagger = firth::train_tagger(sentences, {}, {classes, {}}, {});
//   firth::save_tagger("ner.tagger", tagger);
//
//   firth::TagSession session(tagger, {});  // one per thread
//   const std::vector<std::string_view> words = {"Ada", "lives", "in", "London"};
//   for (const firth::TagId tag : session.tag(words)) use(tagger.tag_name(tag));
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/embed.hpp"
#include "firth/features.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth {

namespace detail {
struct ModelAccess;
}

/// Number of a tag of a tagger.
using TagId = std::uint16_t;

/// How tags mark entities.
enum class TagScheme {
  automatic,  ///< training: bilou for entity tags, plain for others
  plain,      ///< tags say nothing about each other (parts of speech)
  bio,        ///< B-X begins an entity of type X, I-X goes on with it, O is outside
  bilou,      ///< also L-X for the last word of an entity and U-X for an entity of one word
  io,         ///< writing only: I-X and O
};

/// A sentence and its tags.
struct TaggedSentence {
  std::vector<std::string> words;
  std::vector<std::string> tags;
  std::string path;                  ///< the file it came from
  std::vector<std::uint64_t> lines;  ///< the line of each word
};

/// One entity: words begin..end-1 of the sentence.
struct TagSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string type;

  friend bool operator==(const TagSpan&, const TagSpan&) = default;
};

/// The entities of a sequence of tags by conlleval's rules: B-X (and U-X, S-X) begin one, I-X begins one
/// after O, another type, or the end of an entity; L-X and E-X end one. Tags without an entity ("O")
/// separate.
[[nodiscard]] std::vector<TagSpan> entity_spans(std::span<const std::string> tags);

/// Whether all tags are of an entity scheme (O, or B I L U E S M W, a hyphen, a type), and one is not O.
[[nodiscard]] bool are_entity_tags(std::span<const TaggedSentence> sentences);

/// All sentences of the inputs. Throws InputError (columns that do not fit, with the line; no sentences at
/// all), IoError.
[[nodiscard]] std::vector<TaggedSentence> read_tagged(const Inputs& inputs, const TokenOptions& options,
                                                      const RunOptions& run = {});

/// A share of the sentences (`percent` of them, at least one), drawn by the seed, in their order. The sentences of a
/// smaller share are among those of a larger one.
[[nodiscard]] std::vector<TaggedSentence> sample_sentences(std::span<const TaggedSentence> sentences,
                                                           double percent, std::uint64_t seed);

/// Classes that give features, and which.
struct ClassSource {
  Clustering classes;
  ClassFeatureOptions features = {};
};

/// A list of names (places, people, products, ...), each one word or several with white space between them,
/// tokenised as the sentences are. Case does not matter.
struct NameList {
  std::vector<std::string> names = {};
};

/// A name per line; blank lines are skipped. Throws InputError, IoError, Cancelled.
[[nodiscard]] NameList load_names(const Inputs& inputs, const RunOptions& run = {});

/// What is known about words besides the tagged sentences. The model keeps a copy.
struct TaggerKnowledge {
  std::vector<ClassSource> classes = {};
  std::vector<WordVectors> vectors = {};
  std::vector<NameList> names = {};
};

/// What a tagger learns to do.
enum class TagObjective {
  automatic,   ///< crf, for more than 128 tags perceptron
  crf,         ///< a conditional random field: the probability of the right tags of a sentence
  perceptron,  ///< an averaged perceptron, whose features see the two tags before together with the word
};

/// What matters most.
enum class TagRecipe {
  best,   ///< the right tags
  fast,   ///< speed: no features of several words
  small,  ///< a small file: few weights, in steps of 1/16, features known by 32 bits, all of it compressed
};

/// Everything that decides how a tagger is trained.
struct TaggerOptions {
  TagRecipe recipe = TagRecipe::best;
  TagScheme scheme = TagScheme::automatic;
  TagObjective objective = TagObjective::automatic;
  /// Passes over the sentences, 1..1000.
  int passes = 8;
  /// Conditional random fields: number of trainings, each with other orders of the sentences, 1..100; the tagger has
  /// the mean of their weights.
  int trainings = 4;
  /// Width of the beam: 1 = greedy, each word's tag is decided when it is reached; 0 = exact (Viterbi); -1 =
  /// exact for a conditional random field, 4 for a perceptron, which is trained with it, too.
  int beam = -1;
  /// Conditional random fields: by how much the score of an entity must exceed that of no entity in training,
  /// 0..20. More finds more entities, of which fewer are right.
  double recall_cost = 2;
  /// Conditional random fields: weights nearer to 0 than this are left out of the model, 0..1; at least 0.1
  /// for small ones.
  double min_weight = 0.01;
  /// Length that vectors are brought to, > 0; a feature that is there or not counts 1.
  double vector_length = 1;
  /// How every word is spelled before it is used, in training and later: its normal form and its case. The
  /// tagger keeps it; boundaries and tokens are those of the sentences.
  Preprocessing words = {};
};

/// Throws UsageError if the options make no sense.
void validate(const TaggerOptions& options);

namespace tagger {
struct Model;
}

/// A trained tagger. Cheap to copy; may be used from several threads at once.
class Tagger {
 public:
  explicit Tagger(std::shared_ptr<const tagger::Model> model) : model_(std::move(model)) {}

  [[nodiscard]] std::size_t tag_count() const;
  /// The name of a tag as the tagger uses it inside, e.g. "U-PER" with bilou.
  [[nodiscard]] std::string_view tag_name(TagId tag) const;
  /// plain, bio or bilou.
  [[nodiscard]] TagScheme scheme() const;
  /// Width of the beam it was trained with; 0 = exact search.
  [[nodiscard]] int beam() const;
  /// crf or perceptron.
  [[nodiscard]] TagObjective objective() const;
  /// Features with a weight, and weights that are not zero.
  [[nodiscard]] std::uint64_t feature_count() const;
  [[nodiscard]] std::uint64_t weight_count() const;
  /// Number of clusterings and of sets of vectors that it holds.
  [[nodiscard]] std::size_t class_sources() const;
  [[nodiscard]] std::size_t vector_sources() const;
  /// Number of lists of names.
  [[nodiscard]] std::size_t name_lists() const;
  /// How words are spelled before they are used: TaggerOptions::words.
  [[nodiscard]] const Preprocessing& preprocessing() const;
  /// Whether the word was in the training sentences.
  [[nodiscard]] bool knows(std::string_view word) const;

  /// The bytes that save_tagger() writes; from_bytes() reads them, and throws FormatError if they are damaged.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Tagger from_bytes(std::string_view bytes);

 private:
  friend struct detail::ModelAccess;
  [[nodiscard]] const tagger::Model& internals() const { return *model_; }

  std::shared_ptr<const tagger::Model> model_;
};

/// Trains a conditional random field (Lafferty et al. 2001) by AdaGrad, or an averaged perceptron (Collins
/// 2002): deterministic for run.seed, which decides the order of sentences. Throws InputError (no sentences, a tag that does not fit
/// the scheme), UsageError, ResourceError, Cancelled.
[[nodiscard]] Tagger train_tagger(std::span<const TaggedSentence> sentences, const TaggerOptions& options,
                                  const TaggerKnowledge& knowledge, const RunOptions& run = {});

/// One file, complete or not at all.
void save_tagger(const std::string& path, const Tagger& tagger);

/// Throws FormatError if the file is damaged, of another version or not a tagger.
[[nodiscard]] Tagger load_tagger(const std::string& path);

/// How a tagger is applied.
struct TagOptions {
  /// -1 = as trained.
  int beam = -1;
};

/// Throws UsageError if the options make no sense.
void validate(const TagOptions& options);

/// Tags sentence after sentence and remembers words that it has seen: one for each thread.
class TagSession {
 public:
  TagSession(const Tagger& tagger, const TagOptions& options);
  ~TagSession();
  TagSession(TagSession&&) noexcept;
  TagSession& operator=(TagSession&&) noexcept;
  TagSession(const TagSession&) = delete;
  TagSession& operator=(const TagSession&) = delete;

  /// The tags of a sentence (valid UTF-8); valid until the next call. The result does not depend on what was
  /// tagged before.
  [[nodiscard]] std::span<const TagId> tag(std::span<const std::string_view> words);

  /// The same, as names in a scheme: what `tag` gives is put into `names`. For plain tags the scheme is
  /// ignored; automatic = bio.
  void tag_names(std::span<const std::string_view> words, TagScheme scheme, std::vector<std::string>& names);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How files are tagged.
struct TagFileOptions {
  TokenOptions tokens = {};
  TagOptions tagging = {};
  /// How entity tags are written; automatic = bio.
  TagScheme scheme = TagScheme::automatic;
};

/// Tags files of any size, giving `put` the output piece by piece: columns with the tag as one more column,
/// CoNLL-U with the tag column replaced (entity tags: in MISC, as Entity=), text as `word TAB tag` lines.
/// Returns the number of words. Throws InputError, IoError, Cancelled.
std::uint64_t tag_files(const Tagger& tagger, const Inputs& inputs, const TagFileOptions& options,
                        const std::function<void(std::string_view)>& put, const RunOptions& run = {});

}  // namespace firth
