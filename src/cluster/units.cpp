#include "cluster/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "firth/error.hpp"

namespace firth::clusters {
namespace {

constexpr std::uint64_t kNoLine = 0;

/// Finds the words of constraints in a vocabulary, and the units they make.
class Resolver {
 public:
  Resolver(const Vocabulary& vocabulary, const Constraints& constraints)
      : vocabulary_(vocabulary),
        constraints_(constraints),
        index_(vocabulary),
        parent_(vocabulary.size()),
        out_line_(vocabulary.size(), kNoLine),
        seed_(vocabulary.size(), kNoSeed) {
    std::iota(parent_.begin(), parent_.end(), WordId{0});
  }

  Units resolve() {
    exclude();
    join();
    assign_seeds();
    Units units = number();
    units.seeds = static_cast<ClassId>(seed_names_.size());
    separate(units);
    return units;
  }

 private:
  SourceLocation where(const Constraint& item) const { return {constraints_.path, item.line}; }

  WordId root(WordId word) {
    while (parent_[word] != word) word = parent_[word] = parent_[parent_[word]];
    return word;
  }

  /// Words of a constraint that the text has. A word that is kept out cannot have other constraints.
  std::vector<WordId> words_of(const Constraint& item) const {
    std::vector<WordId> words;
    for (const std::string& spelling : item.words) {
      const auto word = index_.find(spelling);
      if (!word) continue;
      if (item.kind != Constraint::Kind::out && out_line_[*word] != kNoLine) {
        throw InputError(where(item), fmt::format("'{}' is kept out by line {}", spelling, out_line_[*word]),
                         "drop one of the two lines");
      }
      words.push_back(*word);
    }
    return words;
  }

  template <typename Use>
  void for_kind(Constraint::Kind kind, const Use& use) {
    for (const Constraint& item : constraints_.items) {
      if (item.kind == kind) use(item, words_of(item));
    }
  }

  void exclude() {
    for_kind(Constraint::Kind::out, [&](const Constraint& item, const std::vector<WordId>& words) {
      for (const WordId word : words) out_line_[word] = std::max<std::uint64_t>(item.line, 1);
    });
  }

  void join() {
    for_kind(Constraint::Kind::together, [&](const Constraint&, const std::vector<WordId>& words) {
      for (const WordId word : words) {
        const WordId a = root(words[0]);
        const WordId b = root(word);
        parent_[std::max(a, b)] = std::min(a, b);
      }
    });
  }

  void assign_seeds() {
    for_kind(Constraint::Kind::seed, [&](const Constraint& item, const std::vector<WordId>& words) {
      const auto seed =
          seed_names_.emplace(item.name, static_cast<ClassId>(seed_names_.size())).first->second;
      for (const WordId word : words) {
        ClassId& present = seed_[root(word)];
        if (present != kNoSeed && present != seed) {
          throw InputError(where(item),
                           fmt::format("'{}' already belongs to another seed class", vocabulary_.word(word)),
                           "a word, or words that stay together, can have one seed class");
        }
        present = seed;
      }
    });
    // Names whose words are all unknown make no classes.
    std::vector<ClassId> number(seed_names_.size(), kNoSeed);
    ClassId next = 0;
    for (ClassId& seed : seed_) {
      if (seed == kNoSeed) continue;
      if (number[seed] == kNoSeed) number[seed] = next++;
      seed = number[seed];
    }
    std::erase_if(seed_names_, [&](const auto& entry) { return number[entry.second] == kNoSeed; });
  }

  Units number() {
    Units units;
    std::vector<UnitId> unit_of_root(vocabulary_.size());
    for (WordId word = 0; word < vocabulary_.size(); ++word) {
      if (out_line_[word] != kNoLine) continue;
      const WordId first = root(word);
      if (first == word) {
        unit_of_root[word] = static_cast<UnitId>(units.count++);
        if (!seed_names_.empty()) units.seed_of.push_back(seed_[word]);
      }
      units.words.push_back(word);
      units.unit_of.push_back(unit_of_root[first]);
    }
    unit_of_root_ = std::move(unit_of_root);
    return units;
  }

  void separate(Units& units) {
    for_kind(Constraint::Kind::apart, [&](const Constraint& item, const std::vector<WordId>& words) {
      if (units.apart.empty()) units.apart.resize(units.count);
      for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) separate_pair(units, item, words[j], words[i]);
      }
    });
    for (auto& others : units.apart) {
      std::sort(others.begin(), others.end());
      others.erase(std::unique(others.begin(), others.end()), others.end());
    }
  }

  void separate_pair(Units& units, const Constraint& item, WordId a, WordId b) {
    const UnitId first = unit_of_root_[root(a)];
    const UnitId second = unit_of_root_[root(b)];
    const bool same_seed = !units.seed_of.empty() && units.seed_of[first] != kNoSeed &&
                           units.seed_of[first] == units.seed_of[second];
    if (first == second || same_seed) {
      throw InputError(where(item),
                       fmt::format("'{}' and '{}' must be {} and apart", vocabulary_.word(a),
                                   vocabulary_.word(b), first == second ? "together" : "in one seed class"),
                       "drop one of the two constraints");
    }
    units.apart[first].push_back(second);
    units.apart[second].push_back(first);
  }

  const Vocabulary& vocabulary_;
  const Constraints& constraints_;
  WordIndex index_;
  std::vector<WordId> parent_;
  std::vector<std::uint64_t> out_line_;
  std::vector<ClassId> seed_;
  std::unordered_map<std::string, ClassId> seed_names_;
  std::vector<UnitId> unit_of_root_;
};

/// One more unit, fixed in a class of its own that no other may enter.
void add_boundary(Units& units) {
  const auto boundary = static_cast<UnitId>(units.count++);
  if (units.seed_of.empty()) units.seed_of.assign(boundary, kNoSeed);
  for (ClassId& seed : units.seed_of)
    if (seed != kNoSeed) ++seed;
  units.seed_of.push_back(0);
  ++units.seeds;
  units.apart.resize(units.count);
  for (UnitId unit = 0; unit < boundary; ++unit) {
    units.apart[unit].push_back(boundary);
    units.apart[boundary].push_back(unit);
  }
  units.boundary = true;
}

/// Occurrences of a word that have no neighbour on one side are at the end of a line there. (Tables of counts
/// from elsewhere may have fewer words than pairs.)
Count without_neighbour(Count occurrences, Count pairs) {
  return occurrences > pairs ? occurrences - pairs : 0;
}

}  // namespace

Units make_units(const Vocabulary& vocabulary, const UnitOptions& options) {
  Units units;
  if (options.constraints.empty()) {
    units.words.resize(vocabulary.size());
    std::iota(units.words.begin(), units.words.end(), WordId{0});
    units.unit_of.assign(units.words.begin(), units.words.end());
    units.count = vocabulary.size();
  } else {
    units = Resolver(vocabulary, options.constraints).resolve();
  }
  if (options.boundaries) add_boundary(units);
  return units;
}

PairCounts bigrams_of(const Counts& counts, const Units& units) {
  const PairCounts& bigrams = counts.bigrams();
  if (units.words.size() == bigrams.rows() && !units.boundary) return bigrams;
  constexpr WordId kOut = std::numeric_limits<WordId>::max();
  std::vector<WordId> place(bigrams.rows(), kOut);
  for (WordId i = 0; i < units.words.size(); ++i) place[units.words[i]] = i;
  std::vector<PairCount> pairs;
  for (WordId left = 0; left < units.words.size(); ++left) {
    const auto rights = bigrams.right_words(units.words[left]);
    const auto numbers = bigrams.right_counts(units.words[left]);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      if (place[rights[i]] != kOut) pairs.push_back({left, place[rights[i]], numbers[i]});
    }
  }
  if (!units.boundary) return PairCounts::from_pairs(units.words.size(), std::move(pairs));
  const auto boundary = static_cast<WordId>(units.words.size());
  const std::vector<Count> after = bigrams.left_marginals();
  const std::vector<Count> before = bigrams.right_marginals();
  for (WordId i = 0; i < boundary; ++i) {
    const WordId word = units.words[i];
    const Count count = counts.vocabulary().count(word);
    if (const Count ends = without_neighbour(count, after[word])) pairs.push_back({i, boundary, ends});
    if (const Count starts = without_neighbour(count, before[word])) pairs.push_back({boundary, i, starts});
  }
  return PairCounts::from_pairs(units.words.size() + 1, std::move(pairs));
}

}  // namespace firth::clusters
