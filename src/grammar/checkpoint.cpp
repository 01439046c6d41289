#include "grammar/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "base/fingerprint.hpp"
#include "firth/error.hpp"

namespace firth::grammar {
namespace {

constexpr base::FileKind kFile = {
    {'F', 'I', 'R', 'T', 'H', 'G', 'R', 'C'}, 1, "checkpoint of a grammar", base::kCheckpointRemedy};

enum Kind : std::uint32_t {
  kNumbers = base::kFingerprintSection + 1,  // Numbers; this and what follows: once per grammar, in order
  kStateNumbers,
  kBinary,
  kLexicalParameters,
  kRoot,
};

struct Numbers {
  std::uint64_t trees;
  std::uint64_t step;
};

void add_options(const LpcfgTrainOptions& options, base::Fingerprint& print) {
  const LatentOptions& latent = options.latent;
  const BinarizeOptions& binarize = options.binarize;
  for (const std::uint64_t number :
       {std::uint64_t{latent.states}, std::uint64_t{latent.scale_features},
        std::uint64_t{latent.inside_templates}, std::uint64_t{latent.outside_templates},
        std::uint64_t{latent.grammars}, std::uint64_t{latent.em_steps},
        static_cast<std::uint64_t>(latent.em_start), static_cast<std::uint64_t>(binarize.branching),
        std::uint64_t{binarize.horizontal}, std::uint64_t{binarize.vertical},
        std::uint64_t{binarize.annotate_tags}, std::uint64_t{binarize.annotate_between},
        std::uint64_t{options.sequences}, std::uint64_t{options.lexicon.rare},
        std::uint64_t{options.lexicon.class_size}}) {
    print.add(number);
  }
  for (const double number : {latent.singular_cut, latent.pseudo_count, latent.smooth_rules,
                              latent.smooth_words, latent.state_prior}) {
    print.add(number);
  }
}

std::uint64_t fingerprint(std::span<const LpcfgTrainOptions> models, const RunOptions& run) {
  base::Fingerprint print;
  for (const LpcfgTrainOptions& options : models) add_options(options, print);
  return print.add(run.seed).value();
}

template <typename T>
void add_structs(std::span<const T> values, base::Fingerprint& print) {
  static_assert(std::has_unique_object_representations_v<T>);
  print.add_all(values);
}

std::uint64_t fingerprint(const TrainingNodes& trees) {
  base::Fingerprint print;
  add_structs(std::span<const TrainingNode>(trees.nodes), print);
  add_structs(std::span<const BinaryRule>(trees.rules), print);
  add_structs(std::span<const LexicalRule>(trees.lexical_rules), print);
  add_structs(std::span<const std::uint32_t>(trees.tree_ends), print);
  add_structs(std::span<const std::uint32_t>(trees.spellings), print);
  return print.value();
}

/// EM has no negative parameters, and none above 1 but for rounding.
bool are_probabilities(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return value >= 0 && value <= 1.001F; });
}

/// Whether a state is one of a grammar of these trees; makes the offsets of its parameters.
bool complete(EmState& state, const TrainingNodes& trees, const LatentOptions& options) {
  LatentParameters& found = state.parameters;
  const bool fits = state.step <= options.em_steps && found.states.size() == trees.symbols &&
                    std::ranges::all_of(found.states, [&](std::uint32_t states) {
                      return states >= 1 && states <= options.states;
                    });
  if (!fits) return false;
  LatentParameters shape = make_parameters(trees, found.states);
  if (shape.binary.size() != found.binary.size() || shape.lexical.size() != found.lexical.size() ||
      shape.root.size() != found.root.size()) {
    return false;
  }
  found.binary_offsets = std::move(shape.binary_offsets);
  found.lexical_offsets = std::move(shape.lexical_offsets);
  found.root_offsets = std::move(shape.root_offsets);
  return are_probabilities(found.binary) && are_probabilities(found.lexical) && are_probabilities(found.root);
}

template <typename T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace

GrammarCheckpoint::GrammarCheckpoint(std::span<const LpcfgTrainOptions> models, const RunOptions& run)
    : path_(models.front().checkpoint.file),
      file_(kFile, models.front().checkpoint, fingerprint(models, run)) {
  for (const LpcfgTrainOptions& options : models) grammars_ += options.latent.grammars;
  file_.read([this](base::SectionReader& reader) { read(reader); });
}

void GrammarCheckpoint::read(base::SectionReader& reader) {
  while (reader.has(kNumbers)) {
    const auto numbers = reader.take<Numbers>(kNumbers);
    if (numbers.size() != 1 || entries_.size() == grammars_) reader.damaged("there are grammars too many");
    Entry entry;
    entry.trees = numbers[0].trees;
    entry.state.step =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(numbers[0].step, ~std::uint32_t{0}));
    entry.state.parameters.states = copy(reader.take<std::uint32_t>(kStateNumbers));
    entry.state.parameters.binary = copy(reader.take<float>(kBinary));
    entry.state.parameters.lexical = copy(reader.take<float>(kLexicalParameters));
    entry.state.parameters.root = copy(reader.take<float>(kRoot));
    entries_.push_back(std::move(entry));
  }
}

std::optional<EmState> GrammarCheckpoint::find(std::size_t number, const TrainingNodes& trees,
                                               const LatentOptions& options) const {
  if (number >= entries_.size()) return std::nullopt;
  const Entry& entry = entries_[number];
  if (entry.trees != fingerprint(trees))
    throw FormatError(path_, "the checkpoint belongs to other trees", std::string(kFile.remedy));
  EmState state = entry.state;
  if (!complete(state, trees, options))
    throw FormatError(path_, "the checkpoint is damaged: a grammar does not fit its trees",
                      std::string(kFile.remedy));
  return state;
}

void GrammarCheckpoint::put(std::size_t number, const TrainingNodes& trees, const EmState& state,
                            const RunOptions& run) {
  if (!is_kept()) return;
  if (number == entries_.size()) entries_.push_back({fingerprint(trees), {}});
  entries_[number].state = state;
  changed_ = true;
  if (file_.is_due()) write_now(run);
}

void GrammarCheckpoint::write(const RunOptions& run) {
  if (changed_) write_now(run);
}

void GrammarCheckpoint::write_now(const RunOptions& run) {
  std::vector<Numbers> numbers;
  numbers.reserve(entries_.size());
  std::vector<base::Section> sections;
  for (const Entry& entry : entries_) {
    numbers.push_back({entry.trees, entry.state.step});
    sections.push_back(base::make_section(kNumbers, std::span(&numbers.back(), 1)));
    sections.push_back(base::make_section(kStateNumbers, entry.state.parameters.states));
    sections.push_back(base::make_section(kBinary, entry.state.parameters.binary));
    sections.push_back(base::make_section(kLexicalParameters, entry.state.parameters.lexical));
    sections.push_back(base::make_section(kRoot, entry.state.parameters.root));
  }
  changed_ = !file_.write(sections);
  file_.report(run);
}

}  // namespace firth::grammar
