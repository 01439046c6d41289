#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/files.hpp"
#include "base/section_file.hpp"
#include "firth/hmm.hpp"

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
  kTransitions = 5,  // HmmModel::transitions
  kEmissions = 6,    // HmmModel::emissions
};

constexpr std::uint64_t kMaxStates = 65535;

bool are_probabilities(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double p) { return p >= 0 && p <= 1 + 1e-9; });
}

/// Words sorted and different, as Vocabulary wants them.
bool well_ordered(const Vocabulary& words) {
  for (WordId word = 1; word < words.size(); ++word) {
    const bool falls = words.count(word - 1) > words.count(word);
    const bool same = words.count(word - 1) == words.count(word);
    if (!falls && !(same && words.word(word - 1) < words.word(word))) return false;
  }
  return true;
}

/// Words of different counts may still be the same word.
bool has_repetition(const Vocabulary& words) {
  std::vector<std::string_view> all;
  for (WordId word = 0; word < words.size(); ++word) all.push_back(words.word(word));
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) != all.end();
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

}  // namespace
}  // namespace hmm

void save_hmm(const std::string& path, const HmmModel& model) {
  const std::array<std::uint64_t, 1> sizes = {model.states};
  const std::vector<base::Section> sections = {
      base::make_section(hmm::kSizes, sizes),
      base::make_section(hmm::kWordOffsets, model.vocabulary.offsets()),
      base::make_section(hmm::kWordBytes, model.vocabulary.bytes()),
      base::make_section(hmm::kWordCounts, model.vocabulary.counts()),
      base::make_section(hmm::kTransitions, model.transitions),
      base::make_section(hmm::kEmissions, model.emissions)};
  base::write_sections(path, hmm::kModelFile, sections);
}

HmmModel load_hmm(const std::string& path) {
  const auto file = std::make_shared<const base::MappedFile>(path);
  base::SectionReader sections(path, file->bytes(), hmm::kModelFile);
  const auto sizes = sections.take<std::uint64_t>(hmm::kSizes);
  const auto offsets = sections.take<std::uint64_t>(hmm::kWordOffsets);
  const auto bytes = sections.take<char>(hmm::kWordBytes);
  const auto counts = sections.take<Count>(hmm::kWordCounts);
  const auto transitions = sections.take<double>(hmm::kTransitions);
  const auto emissions = sections.take<double>(hmm::kEmissions);
  sections.finish();
  if (sizes.size() != 1 || sizes[0] == 0 || sizes[0] > hmm::kMaxStates) {
    sections.damaged("its number of states makes no sense");
  }
  const std::uint64_t states = sizes[0];
  const bool words_fit = !counts.empty() && offsets.size() == counts.size() + 1 && offsets.front() == 0 &&
                         offsets.back() == bytes.size() && std::is_sorted(offsets.begin(), offsets.end());
  if (!words_fit) sections.damaged("its words do not fit");
  const bool sizes_fit = transitions.size() == (states + 1) * (states + 1) &&
                         emissions.size() % states == 0 && emissions.size() / states == counts.size();
  if (!sizes_fit) sections.damaged("its probabilities do not fit its words and states");
  if (!hmm::are_probabilities(transitions) || !hmm::are_probabilities(emissions)) {
    sections.damaged("a probability is out of range");
  }
  HmmModel model{Vocabulary(offsets, {bytes.data(), bytes.size()}, counts, file),
                 static_cast<std::uint32_t>(states),
                 {transitions.begin(), transitions.end()},
                 {emissions.begin(), emissions.end()}};
  if (!hmm::well_ordered(model.vocabulary) || hmm::has_repetition(model.vocabulary)) {
    sections.damaged("its words are not in order");
  }
  hmm::check_sums(sections, model);
  return model;
}

}  // namespace firth
