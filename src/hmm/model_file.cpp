#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/files.hpp"
#include "base/memory_file.hpp"
#include "base/section_file.hpp"
#include "counts/vocabulary_sections.hpp"
#include "firth/hmm.hpp"
#include "hmm/estimate.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace hmm {
namespace {

constexpr base::FileKind kModelFile = {{'\x89', 'F', 'H', 'M', '\x20', '\r', '\n', '\x1a'},
                                       1,
                                       "hidden Markov model",
                                       "copy it again, or train it again with train_hmm()"};

enum SectionKind : std::uint32_t {
  kSizes = 1,        // number of states
  kWordOffsets = 2,  // 64 bits each, one more than words
  kWordBytes = 3,    // all words, one after the other
  kWordCounts = 4,
  kTransitions = 5,    // HmmModel::transitions
  kEmissions = 6,      // HmmModel::emissions
  kPreprocessing = 7,  // as text; left out if it is not known
};

bool are_probabilities(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double p) { return p >= 0 && p <= 1 + 1e-9; });
}

void check_sums(const base::SectionReader& sections, const HmmModel& model) {
  constexpr double kSlack = 1e-6;
  for (std::size_t from = 0; from <= model.states; ++from) {
    double sum = 0;
    for (std::size_t to = 0; to <= model.states; ++to) sum += model.transition(from, to);
    if (std::abs(sum - 1) > kSlack) sections.damaged("the transitions of a state do not add up to 1");
  }
  std::vector<double> sums(model.states);
  for (std::size_t i = 0; i < model.emissions.size(); ++i) sums[i % model.states] += model.emissions[i];
  for (const double sum : sums) {
    if (std::abs(sum - 1) > kSlack) sections.damaged("the words of a state do not add up to 1");
  }
}

constexpr counts::VocabularySections kWords = {kWordOffsets, kWordBytes, kWordCounts};

/// Calls use(sections) while what they point to is there.
template <class Use>
void with_sections(const HmmModel& model, const Use& use) {
  const std::array<std::uint64_t, 1> sizes = {model.states};
  std::vector<base::Section> sections = {base::make_section(kSizes, sizes)};
  counts::add_vocabulary(model.vocabulary, kWords, sections);
  sections.push_back(base::make_section(kTransitions, model.transitions));
  sections.push_back(base::make_section(kEmissions, model.emissions));
  const std::string preprocessing = model.preprocessing ? text::describe(*model.preprocessing) : "";
  if (!preprocessing.empty()) sections.push_back(base::make_section(kPreprocessing, preprocessing));
  use(sections);
}

HmmModel read_model(const std::string& path, std::span<const std::byte> file,
                    std::shared_ptr<const void> owner) {
  base::SectionReader sections(path, file, kModelFile);
  const auto sizes = sections.take<std::uint64_t>(kSizes);
  HmmModel model;
  model.vocabulary = counts::take_vocabulary(sections, kWords, std::move(owner));
  const auto transitions = sections.take<double>(kTransitions);
  const auto emissions = sections.take<double>(kEmissions);
  if (sections.has(kPreprocessing)) {
    const auto text = sections.take<char>(kPreprocessing);
    model.preprocessing = text::parse_preprocessing({text.data(), text.size()});
  }
  sections.finish();
  if (sizes.size() != 1 || sizes[0] == 0 || sizes[0] > kMaxStates) {
    sections.damaged("its number of states makes no sense");
  }
  const std::uint64_t states = sizes[0];
  if (model.vocabulary.empty()) sections.damaged("its words do not fit");
  const bool sizes_fit = transitions.size() == (states + 1) * (states + 1) &&
                         emissions.size() % states == 0 &&
                         emissions.size() / states == model.vocabulary.size();
  if (!sizes_fit) sections.damaged("its probabilities do not fit its words and states");
  if (!are_probabilities(transitions) || !are_probabilities(emissions)) {
    sections.damaged("a probability is out of range");
  }
  model.states = static_cast<std::uint32_t>(states);
  model.transitions.assign(transitions.begin(), transitions.end());
  model.emissions.assign(emissions.begin(), emissions.end());
  counts::check_word_order(sections, model.vocabulary);
  check_sums(sections, model);
  return model;
}

}  // namespace
}  // namespace hmm

void save_hmm(const std::string& path, const HmmModel& model) {
  hmm::with_sections(model,
                     [&](const auto& sections) { base::write_sections(path, hmm::kModelFile, sections); });
}

HmmModel load_hmm(const std::string& path) {
  auto file = std::make_shared<const base::MappedFile>(path);
  return hmm::read_model(path, file->bytes(), file);
}

std::string HmmModel::to_bytes() const {
  std::string bytes;
  hmm::with_sections(*this,
                     [&](const auto& sections) { bytes = base::section_bytes(hmm::kModelFile, sections); });
  return bytes;
}

HmmModel HmmModel::from_bytes(std::string_view bytes) {
  auto file = std::make_shared<const base::MemoryFile>(bytes);
  return hmm::read_model(base::kMemoryName, file->bytes(), file);
}

}  // namespace firth
