#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/mark_before.hpp"
#include "cluster/io/formats.hpp"
#include "firth/error.hpp"
#include "firth/text.hpp"

namespace firth::clusters {
namespace {

constexpr std::string_view kNotBetweenTabs("\t\n\r\0", 4);
constexpr std::string_view kNotBetweenSpaces(" \t\n\r\0", 5);

/// One line at a time, through one buffer.
class LineWriter {
 public:
  explicit LineWriter(const Sink& sink) : sink_(sink) {}
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    buffer_.clear();
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    buffer_ += '\n';
    if (std::exchange(first_, false)) buffer_.insert(0, base::mark_before(buffer_));
    sink_(buffer_);
  }

 private:
  const Sink& sink_;
  std::string buffer_;
  bool first_ = true;
};

void check_words(const Vocabulary& vocabulary, std::string_view forbidden, std::string_view format) {
  for (WordId id = 0; id < vocabulary.size(); ++id) {
    const std::string_view word = vocabulary.word(id);
    if (!word.empty() && word.find_first_of(forbidden) == std::string_view::npos) continue;
    const std::string problem =
        word.empty()
            ? fmt::format("the empty word cannot be written as {}", format)
            : fmt::format("the word '{}' holds a {}, which ends a word in {}", shown(word),
                          forbidden == kNotBetweenTabs ? "tab or line end" : "space or line end", format);
    throw InputError({}, problem, "write json instead");
  }
}

std::string real(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::vector<Count> class_counts(const Clustering& clustering) {
  std::vector<Count> sums(clustering.class_count());
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    sums[clustering.class_of(word)] += clustering.vocabulary().count(word);
  }
  return sums;
}

/// A tree over words whatever the tree is over: words of a class are joined first, the rarest classes before
/// the others, each word with the most frequent one of its class.
MergeTree tree_over_words(const Clustering& clustering) {
  const MergeTree& tree = *clustering.tree();
  if (tree.kind == TreeLeaves::words) return tree;
  const auto words = static_cast<std::uint32_t>(clustering.word_count());
  MergeTree result{.kind = TreeLeaves::words, .leaves = words, .merges = {}};
  std::vector<std::uint32_t> node(clustering.class_count());
  const auto join = [&](std::uint32_t left, std::uint32_t right, double ami) {
    result.merges.push_back({left, right, ami});
    return words + static_cast<std::uint32_t>(result.merges.size()) - 1;
  };
  const std::vector<std::vector<WordId>> members = clustering.members();
  for (std::size_t c = members.size(); c-- > 0;) {
    node[c] = members[c][0];
    for (std::size_t i = 1; i < members[c].size(); ++i) node[c] = join(node[c], members[c][i], std::nan(""));
  }
  for (const TreeMerge& merge : tree.merges)
    node.push_back(join(node[merge.left], node[merge.right], merge.ami_bits));
  return result;
}

}  // namespace

void write_paths(const Clustering& clustering, const Sink& sink) {
  const Vocabulary& vocabulary = clustering.vocabulary();
  check_words(vocabulary, kNotBetweenTabs, "paths");
  const std::vector<std::string> bits = clustering.bit_strings();
  const std::vector<std::vector<WordId>> members = clustering.members();
  std::vector<ClassId> order(bits.size());
  std::iota(order.begin(), order.end(), ClassId{0});
  std::sort(order.begin(), order.end(), [&](ClassId a, ClassId b) { return bits[a] < bits[b]; });
  LineWriter out(sink);
  for (const ClassId id : order) {
    for (const WordId word : members[id]) {
      out.line("{}\t{}\t{}", bits[id], vocabulary.word(word), vocabulary.count(word));
    }
  }
}

void write_classes(const Clustering& clustering, const Sink& sink) {
  check_words(clustering.vocabulary(), kNotBetweenTabs, "classes");
  LineWriter out(sink);
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    out.line("{}\t{}", clustering.vocabulary().word(word), clustering.class_of(word));
  }
}

void write_mkcls(const Clustering& clustering, const Sink& sink) {
  constexpr ClassId kReserved =
      2;  // GIZA++ takes class 0 for unknown words and the empty word, mkcls starts at 2
  const Vocabulary& vocabulary = clustering.vocabulary();
  check_words(vocabulary, kNotBetweenTabs, "mkcls");
  std::vector<WordId> order(vocabulary.size());
  std::iota(order.begin(), order.end(), WordId{0});
  std::sort(order.begin(), order.end(),
            [&](WordId a, WordId b) { return vocabulary.word(a) < vocabulary.word(b); });
  LineWriter out(sink);
  for (const WordId word : order) {
    if (vocabulary.word(word) == kUnknownWord) continue;
    out.line("{}\t{}", vocabulary.word(word), clustering.class_of(word) + kReserved);
  }
}

void write_word_counts(const Vocabulary& vocabulary, const Sink& sink) {
  LineWriter out(sink);
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    out.line("{}\t{}", vocabulary.word(word), vocabulary.count(word));
  }
}

void write_merges(const Clustering& clustering, const Sink& sink) {
  const Vocabulary& vocabulary = clustering.vocabulary();
  check_words(vocabulary, kNotBetweenTabs, "merges");
  if (!clustering.tree())
    throw UsageError("classes without a tree have no merges", "make one with build_tree()");
  if (clustering.word_count() < 2) throw UsageError("a list of merges needs two words or more");
  const MergeTree tree = tree_over_words(clustering);
  if (tree.merges.size() + 1 != tree.leaves) {
    throw UsageError("the tree is not complete, so its list of merges would not name all words");
  }
  const auto known = [](const TreeMerge& merge) { return !std::isnan(merge.ami_bits); };
  const bool any_known = std::any_of(tree.merges.begin(), tree.merges.end(), known);
  // A node is named after its most frequent word, which is the one of its left child.
  std::vector<WordId> name(tree.leaves);
  std::iota(name.begin(), name.end(), WordId{0});
  LineWriter out(sink);
  double before = std::nan("");
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    const TreeMerge& merge = tree.merges[i];
    const std::string_view left = vocabulary.word(name[merge.left]);
    const std::string_view right = vocabulary.word(name[merge.right]);
    const std::size_t to_come = tree.merges.size() - 1 - i;
    if (any_known) {
      out.line("{}\t{}\t{}\t{}\t{}", left, right, to_come, real(before - merge.ami_bits),
               real(merge.ami_bits));
    } else {
      out.line("{}\t{}\t{}", left, right, to_come);
    }
    before = merge.ami_bits;
    name.push_back(name[merge.left]);
  }
}

void write_srilm(const Clustering& clustering, const Sink& sink) {
  const Vocabulary& vocabulary = clustering.vocabulary();
  check_words(vocabulary, kNotBetweenSpaces, "srilm");
  const std::vector<Count> sums = class_counts(clustering);
  const std::vector<std::vector<WordId>> members = clustering.members();
  LineWriter out(sink);
  for (ClassId id = 0; id < members.size(); ++id) {
    for (const WordId word : members[id]) {
      const double probability =
          sums[id] == 0 ? 1.0 / static_cast<double>(members[id].size())
                        : static_cast<double>(vocabulary.count(word)) / static_cast<double>(sums[id]);
      out.line("CLASS-{:05} {} {}", id, probability, vocabulary.word(word));
    }
  }
}

void write_clark(const Clustering& clustering, const Sink& sink) {
  const Vocabulary& vocabulary = clustering.vocabulary();
  check_words(vocabulary, kNotBetweenSpaces, "clark");
  LineWriter out(sink);
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    out.line("{} {} {}", vocabulary.word(word), clustering.class_of(word), vocabulary.count(word));
  }
}

void write_firth_merges(const MergeTree& tree, const Sink& sink) {
  LineWriter out(sink);
  out.line("# firth merges 1");
  out.line("# leaves {} {}", tree.kind == TreeLeaves::words ? "words" : "classes", tree.leaves);
  out.line("# step\tleft\tright\tami_bits");
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    const TreeMerge& merge = tree.merges[i];
    out.line("{}\t{}\t{}\t{}", i, merge.left, merge.right, real(merge.ami_bits));
  }
}

}  // namespace firth::clusters
