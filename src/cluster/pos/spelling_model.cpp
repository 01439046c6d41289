#include "cluster/pos/spelling_model.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "base/simd.hpp"
#include "base/special.hpp"
#include "cluster/word_shape.hpp"

namespace firth::pos {
namespace {

constexpr std::size_t kDepth = 4;        // letters of an ending
constexpr std::size_t kMaxLength = 12;   // longer words count as this long
constexpr double kPrior = 10;            // weight of the distribution over all words
constexpr const char* kWordStart = "^";  // what comes before the first letter

// Shares of capitals that count as few and as many: names in running text, not words of titles.
constexpr double kFewCapitals = 0.1;
constexpr double kManyCapitals = 0.6;

using clusters::CharacterKind;

/// Characters as strings; all digits are one.
std::vector<std::string> letters_of(std::string_view word) {
  std::vector<std::string> letters;
  for (const std::string_view character : clusters::utf8_characters(word)) {
    letters.emplace_back(clusters::kind_of(character) == CharacterKind::digit ? "0" : character);
  }
  return letters;
}

/// Which kinds of characters a word has: digits, capitals, letters (and everything beyond ASCII), hyphens,
/// apostrophes, other marks.
std::string kinds_in(const std::vector<std::string>& letters) {
  std::string kinds(6, ' ');
  for (const std::string& letter : letters) {
    switch (clusters::kind_of(letter)) {
      case CharacterKind::digit:
        kinds[0] = 'd';
        break;
      case CharacterKind::capital:
        kinds[1] = 'C';
        break;
      case CharacterKind::small:
      case CharacterKind::non_ascii:
        kinds[2] = 'l';
        break;
      case CharacterKind::hyphen:
        kinds[3] = 'h';
        break;
      case CharacterKind::apostrophe:
        kinds[4] = 'a';
        break;
      case CharacterKind::other:
        kinds[5] = 'o';
        break;
    }
  }
  return kinds;
}

const char* capital_kind(const Capitals& capitals) {
  const double share = static_cast<double>(capitals.capital) / static_cast<double>(capitals.inside);
  return share < kFewCapitals ? "few" : share < kManyCapitals ? "some" : "many";
}

/// Gives nodes their numbers.
class TreeBuilder {
 public:
  SpellingTree build(const Vocabulary& vocabulary, std::span<const Capitals> capitals) {
    const std::uint32_t roots[kTemplates] = {
        node(SpellingTree::kNoNode, "e", kSuffix), node(SpellingTree::kNoNode, "s", kShape),
        node(SpellingTree::kNoNode, "n", kLength), node(SpellingTree::kNoNode, "c", kCapital)};
    tree_.begins.push_back(0);
    for (WordId word = 0; word < vocabulary.size(); ++word) {
      const std::vector<std::string> letters = letters_of(vocabulary.word(word));
      add_ending(letters, roots[kSuffix]);
      add(roots[kShape]);
      add(node(roots[kShape], kinds_in(letters), kShape));
      add(roots[kLength]);
      add(node(roots[kLength], std::to_string(std::min(letters.size(), kMaxLength)), kLength));
      if (capitals[word].inside > 0) {  // otherwise nothing is known
        add(roots[kCapital]);
        add(node(roots[kCapital], capital_kind(capitals[word]), kCapital));
      }
      tree_.begins.push_back(tree_.nodes.size());
    }
    finish();
    return std::move(tree_);
  }

 private:
  void add_ending(const std::vector<std::string>& letters, std::uint32_t root) {
    std::uint32_t place = add(root);
    for (std::size_t depth = 0; depth < kDepth; ++depth) {
      const bool over = depth >= letters.size();
      place = add(node(place, over ? kWordStart : letters[letters.size() - 1 - depth], kSuffix));
      if (over) break;
    }
  }

  std::uint32_t add(std::uint32_t node) {
    tree_.nodes.push_back(node);
    return node;
  }

  std::uint32_t node(std::uint32_t parent, const std::string& name, Template kind) {
    const std::string key = std::to_string(parent) + " " + name;
    const auto [place, added] = ids_.try_emplace(key, static_cast<std::uint32_t>(tree_.parent.size()));
    if (added) {
      tree_.parent.push_back(parent);
      tree_.kind.push_back(kind);
    }
    return place->second;
  }

  void finish() {
    std::vector<double> words(tree_.size());
    for (const std::uint32_t node : tree_.nodes) words[node] += 1;
    tree_.base.assign(tree_.size(), 1);
    tree_.inner.assign(tree_.size(), false);
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      const std::uint32_t parent = tree_.parent[node];
      if (parent == SpellingTree::kNoNode) continue;
      tree_.base[node] = words[node] / words[parent];
      tree_.inner[parent] = true;
    }
  }

  SpellingTree tree_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

/// scores += factor * (outcome - context), one lane per class.
FIRTH_CLONES void add_difference(const float* outcome, const float* context, float factor, std::size_t size,
                                 float* scores) {
  for (std::size_t i = 0; i < size; ++i) scores[i] += factor * (outcome[i] - context[i]);
}

}  // namespace

SpellingTree make_spelling_tree(const Vocabulary& vocabulary, std::span<const Capitals> capitals) {
  return TreeBuilder().build(vocabulary, capitals);
}

std::vector<double> feature_amounts(const Vocabulary& vocabulary, double scale) {
  std::vector<double> amounts;
  for (const Count count : vocabulary.counts()) {
    amounts.push_back(std::sqrt(scale * std::max(1.0, static_cast<double>(count))));
  }
  return amounts;
}

SpellingModel::SpellingModel(const SpellingTree& tree, std::span<const double> amounts,
                             const TemplateWeights& weights)
    : tree_(tree), weights_(weights), amounts_(amounts) {}

std::uint64_t SpellingModel::bytes(const SpellingTree& tree, ClassId classes) {
  return tree.size() * (std::uint64_t{classes} + 16) * (sizeof(double) + 2 * sizeof(float));
}

double SpellingModel::prior(std::uint32_t node) const {
  return kPrior * tree_.base[node];
}

void SpellingModel::refresh(std::uint32_t node, ClassId c) {
  const std::size_t place = node * stride_ + c;
  if (tree_.parent[node] != SpellingTree::kNoNode) {
    as_outcome_[place] =
        static_cast<float>(std::log(counts_[place] + prior(node)) - std::log(tree_.base[node]));
  }
  if (tree_.inner[node]) as_context_[place] = static_cast<float>(std::log(counts_[place] + kPrior));
}

void SpellingModel::reset(std::span<const ClassId> class_of, ClassId classes) {
  constexpr std::size_t kLane = base::kCacheLine / sizeof(float);
  classes_ = classes;
  stride_ = (classes + kLane - 1) / kLane * kLane;
  counts_.assign(tree_.size() * stride_, 0.0);
  as_outcome_.assign(tree_.size() * stride_, 0.0F);
  as_context_.assign(tree_.size() * stride_, 0.0F);
  for (WordId word = 0; word < tree_.words(); ++word) {
    for (const std::uint32_t node : tree_.of(word)) {
      counts_[node * stride_ + class_of[word]] += amounts_[word];
    }
  }
  for (std::uint32_t node = 0; node < tree_.size(); ++node) {
    for (ClassId c = 0; c < classes; ++c) refresh(node, c);
  }
}

float SpellingModel::home_score(WordId word, ClassId home) const {
  double sum = 0;
  const double own = amounts_[word];
  for (const std::uint32_t node : tree_.of(word)) {
    const std::uint32_t parent = tree_.parent[node];
    if (parent == SpellingTree::kNoNode) continue;
    // Sums of roots can leave a remainder below 0 where nothing is left.
    const double outcome = std::max(0.0, counts_[node * stride_ + home] - own);
    const double context = std::max(0.0, counts_[parent * stride_ + home] - own);
    sum += weights_[tree_.kind[node]] * own *
           std::log((outcome + prior(node)) / (tree_.base[node] * (context + kPrior)));
  }
  return static_cast<float>(sum);
}

void SpellingModel::add_scores(WordId word, ClassId home, std::span<float> scores) const {
  const float at_home = scores[home] + home_score(word, home);
  for (const std::uint32_t node : tree_.of(word)) {
    const std::uint32_t parent = tree_.parent[node];
    if (parent == SpellingTree::kNoNode) continue;
    add_difference(as_outcome_.data() + node * stride_, as_context_.data() + parent * stride_,
                   static_cast<float>(weights_[tree_.kind[node]] * amounts_[word]), classes_, scores.data());
  }
  scores[home] = at_home;
}

void SpellingModel::move(WordId word, ClassId from, ClassId to) {
  const double own = amounts_[word];
  for (const std::uint32_t node : tree_.of(word)) {
    double& left = counts_[node * stride_ + from];
    left = std::max(0.0, left - own);
    counts_[node * stride_ + to] += own;
    refresh(node, from);
    refresh(node, to);
  }
}

double SpellingModel::log_probability() const {
  double sum = 0;
  for (std::uint32_t node = 0; node < tree_.size(); ++node) {
    const double weight = weights_[tree_.kind[node]];
    if (weight == 0) continue;
    for (ClassId c = 0; c < classes_; ++c) {
      const double count = counts_[node * stride_ + c];
      if (count <= 0) continue;
      if (tree_.parent[node] != SpellingTree::kNoNode) {
        sum += weight * (base::log_gamma(count + prior(node)) - base::log_gamma(prior(node)));
      }
      if (tree_.inner[node]) sum -= weight * (base::log_gamma(count + kPrior) - base::log_gamma(kPrior));
    }
  }
  return sum;
}

}  // namespace firth::pos
