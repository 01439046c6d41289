#include "firth/parseval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "firth/error.hpp"
#include "treebank/words.hpp"

namespace firth {
namespace {

// A phrase over the words that are left.
struct Bracket {
  std::string label;
  std::size_t begin = 0;
  std::size_t end = 0;
  friend auto operator<=>(const Bracket&, const Bracket&) = default;
};

struct Leaf {
  std::string_view tag;
  std::string_view word;
};

bool is_punctuation(std::string_view tag) {
  constexpr std::array<std::string_view, 5> kTags = {",", ":", "``", "''", "."};
  return std::find(kTags.begin(), kTags.end(), tag) != kTags.end();
}

bool is_root(std::string_view label) {
  return label.empty() || label == "TOP" || label == "ROOT" || label == "S1";
}

std::string_view same_label(std::string_view label) {
  return label == "PRT" ? "ADVP" : label;
}

// Words without traces, in order.
std::vector<Leaf> leaves_of(const Tree& tree) {
  std::vector<Leaf> leaves;
  for (const TreeNode& node : tree.nodes) {
    if (node.is_leaf() && treebank::is_word(node)) leaves.push_back({node.label, node.word});
  }
  return leaves;
}

std::vector<bool> kept_words(const std::vector<Leaf>& leaves) {
  std::vector<bool> kept;
  kept.reserve(leaves.size());
  for (const Leaf& leaf : leaves) kept.push_back(!is_punctuation(leaf.tag) && !is_root(leaf.tag));
  return kept;
}

// Places of nodes are counted in words that are kept; traces are no words.
std::vector<Bracket> brackets_of(const Tree& tree, const std::vector<bool>& kept) {
  std::vector<std::size_t> before(tree.nodes.size() + 1, 0);  // words kept before each node
  std::size_t word = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    const bool is_word = node.is_leaf() && treebank::is_word(node);
    before[i + 1] = before[i] + (is_word && kept[word] ? 1 : 0);
    word += is_word ? 1 : 0;
  }
  std::vector<Bracket> brackets;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    if (node.is_leaf() || before[i] == before[i + node.size]) continue;
    const std::string_view label = std::string_view(node.label).substr(0, node.label.find_first_of("-="));
    if (is_root(label) || is_punctuation(label)) continue;
    brackets.push_back({std::string(same_label(label)), before[i], before[i + node.size]});
  }
  return brackets;
}

std::uint64_t count_matches(std::vector<Bracket> gold, std::vector<Bracket> guess) {
  std::sort(gold.begin(), gold.end());
  std::sort(guess.begin(), guess.end());
  std::vector<Bracket> both;
  std::set_intersection(gold.begin(), gold.end(), guess.begin(), guess.end(), std::back_inserter(both));
  return both.size();
}

// The largest of the numbers in a range of places; 0 where there is none.
class RangeMaximum {
 public:
  explicit RangeMaximum(std::size_t places) : places_(places), tree_(2 * places, 0) {}

  void raise(std::size_t place, std::size_t value) {
    for (std::size_t i = place + places_; i > 0; i /= 2) tree_[i] = std::max(tree_[i], value);
  }

  std::size_t operator()(std::size_t begin, std::size_t end) const {
    std::size_t largest = 0;
    for (begin += places_, end += places_; begin < end; begin /= 2, end /= 2) {
      if (begin % 2 == 1) largest = std::max(largest, tree_[begin++]);
      if (end % 2 == 1) largest = std::max(largest, tree_[--end]);
    }
    return largest;
  }

 private:
  std::size_t places_;
  std::vector<std::size_t> tree_;  // the children of i are 2 i and 2 i + 1
};

// Guessed phrases that some gold phrase overlaps without one being within the other.
std::uint64_t count_crossing(const std::vector<Bracket>& gold, const std::vector<Bracket>& guess) {
  std::size_t words = 0;
  for (const Bracket& bracket : gold) words = std::max(words, bracket.end);
  for (const Bracket& bracket : guess) words = std::max(words, bracket.end);
  RangeMaximum reach_right(words + 1);  // by where gold phrases begin: how far they go
  RangeMaximum reach_left(words + 1);   // by where they end: the same to the left, from the last word
  for (const Bracket& bracket : gold) {
    reach_right.raise(bracket.begin, bracket.end);
    reach_left.raise(bracket.end, words - bracket.begin);
  }
  return static_cast<std::uint64_t>(std::count_if(guess.begin(), guess.end(), [&](const Bracket& bracket) {
    return reach_right(bracket.begin + 1, bracket.end) > bracket.end ||
           reach_left(bracket.begin + 1, bracket.end) > words - bracket.begin;
  }));
}

bool same_words(const std::vector<Leaf>& a, const std::vector<bool>& keep_a, const std::vector<Leaf>& b,
                const std::vector<bool>& keep_b) {
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!keep_a[i]) continue;
    while (j < b.size() && !keep_b[j]) ++j;
    if (j == b.size() || a[i].word != b[j].word) return false;
    ++j;
  }
  while (j < b.size() && !keep_b[j]) ++j;
  return j == b.size();
}

// The words agree: tags are compared word by word.
void add_tags(const std::vector<Leaf>& gold, const std::vector<bool>& keep_gold,
              const std::vector<Leaf>& guess, const std::vector<bool>& keep_guess, ParsevalScore& score) {
  std::size_t j = 0;
  for (std::size_t i = 0; i < gold.size(); ++i) {
    if (!keep_gold[i]) continue;
    while (!keep_guess[j]) ++j;
    ++score.words;
    score.right_tags += same_label(gold[i].tag) == same_label(guess[j].tag) ? 1 : 0;
    ++j;
  }
}

std::vector<Tree> read_all(const Inputs& inputs, TreeLayout layout, const RunOptions& run) {
  TreeReader reader(inputs, layout, run);
  std::vector<Tree> trees;
  for (Tree tree; reader.next(tree);) trees.push_back(std::move(tree));
  return trees;
}

}  // namespace

ParsevalScore& ParsevalScore::operator+=(const ParsevalScore& other) noexcept {
  sentences += other.sentences;
  errors += other.errors;
  skipped += other.skipped;
  gold += other.gold;
  guess += other.guess;
  matched += other.matched;
  exact += other.exact;
  crossing += other.crossing;
  without_crossing += other.without_crossing;
  up_to_two_crossing += other.up_to_two_crossing;
  words += other.words;
  right_tags += other.right_tags;
  return *this;
}

ParsevalScore score_parse(const Tree& gold, const Tree& guess, const ParsevalOptions& options) {
  ParsevalScore score;
  score.sentences = 1;
  const std::vector<Leaf> gold_leaves = leaves_of(gold);
  const std::vector<Leaf> guess_leaves = leaves_of(guess);
  const std::vector<bool> keep_gold = kept_words(gold_leaves);
  const bool by_place = options.gold_punctuation && gold_leaves.size() == guess_leaves.size();
  const std::vector<bool> keep_guess = by_place ? keep_gold : kept_words(guess_leaves);
  const bool has_parse = std::find(keep_guess.begin(), keep_guess.end(), true) != keep_guess.end();
  if (options.gold_punctuation && guess_leaves.empty()) {
    score.gold = brackets_of(gold, keep_gold).size();
    score.words = static_cast<std::uint64_t>(std::count(keep_gold.begin(), keep_gold.end(), true));
  } else if (!options.gold_punctuation && !has_parse) {
    score.skipped = 1;
    return score;
  } else if ((options.gold_punctuation && !by_place) ||
             !same_words(gold_leaves, keep_gold, guess_leaves, keep_guess)) {
    score.errors = 1;
    return score;
  } else {
    const std::vector<Bracket> right = brackets_of(gold, keep_gold);
    const std::vector<Bracket> guessed = brackets_of(guess, keep_guess);
    score.gold = right.size();
    score.guess = guessed.size();
    score.matched = count_matches(right, guessed);
    score.crossing = count_crossing(right, guessed);
    add_tags(gold_leaves, keep_gold, guess_leaves, keep_guess, score);
  }
  score.exact = score.matched == score.gold && score.matched == score.guess ? 1 : 0;
  score.without_crossing = score.crossing == 0 ? 1 : 0;
  score.up_to_two_crossing = score.crossing <= 2 ? 1 : 0;
  return score;
}

std::uint64_t sentence_length(const Tree& tree) {
  return leaves_of(tree).size();
}

ParsevalReport score_parses(const Inputs& gold, const Inputs& guess, const ParsevalOptions& options,
                            const std::function<void(const ParsevalScore&)>& each, const RunOptions& run) {
  const std::vector<Tree> guesses = read_all(guess, TreeLayout::lines, run);
  std::vector<Tree> right = read_all(gold, TreeLayout::lines, run);
  if (right.size() != guesses.size()) std::erase_if(right, [](const Tree& tree) { return tree.empty(); });
  if (right.size() != guesses.size()) {
    throw InputError({guess.first_name()},
                     fmt::format("{} trees, but {} has {}", guesses.size(), gold.first_name(), right.size()),
                     "write one tree per line, and an empty line where there is no parse");
  }
  if (std::all_of(right.begin(), right.end(), [](const Tree& tree) { return tree.empty(); })) {
    throw InputError({gold.first_name()}, "there are no trees", "give the gold trees, in brackets");
  }
  ParsevalReport report;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (right[i].empty() && guesses[i].empty()) continue;
    const ParsevalScore score = score_parse(right[i], guesses[i], options);
    report.all += score;
    if (sentence_length(right[i]) <= options.cutoff) report.up_to_cutoff += score;
    if (each) each(score);
  }
  return report;
}

}  // namespace firth
