// Lists of merges: generalised-brown's and Firth's own.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "cluster/io/formats.hpp"
#include "cluster/io/word_list.hpp"
#include "cluster/merge_tree.hpp"
#include "firth/error.hpp"

namespace firth::clusters {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kMergeColumns = "word<TAB>word<TAB>number of merges to come [<TAB>loss<TAB>AMI]";
constexpr std::string_view kFirthExpected = "step<TAB>left<TAB>right<TAB>AMI";

/// Which tree node a word is in by now.
class Components {
 public:
  explicit Components(std::size_t words) : parent_(words), node_(words) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t word) {
    while (parent_[word] != word) word = parent_[word] = parent_[parent_[word]];
    return word;
  }
  std::uint32_t& node(std::size_t root) { return node_[root]; }
  void join(std::size_t into, std::size_t from) { parent_[from] = into; }

 private:
  std::vector<std::size_t> parent_;
  std::vector<std::uint32_t> node_;
};

/// Column 3 counts down to 0: a gap means lost lines.
void check_countdown(const TextTable& table) {
  std::optional<Count> previous;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string_view text = table.row(i)[2];
    const std::optional<Count> number = parse_count(text);
    if (!number) {
      table.fail(i, fmt::format("'{}' is not a number", shown(text)),
                 fmt::format("expected {}", kMergeColumns));
    }
    if (previous && (*previous == 0 || *number != *previous - 1)) {
      table.fail(i, fmt::format("{} follows {}", *number, *previous),
                 "the third column falls by one per line; lines are missing or out of order");
    }
    previous = number;
  }
}

double read_ami(const TextTable& table, std::size_t row, std::string_view text) {
  if (text == "nan") return kUnknown;
  const std::optional<double> value = parse_real(text);
  if (!value) table.fail(row, fmt::format("'{}' is not a number", shown(text)), "expected an AMI or nan");
  return *value;
}

/// The words of the list in the order in which they are first named, and what each line joins.
struct NamedMerges {
  std::vector<WordEntry> entries;
  std::vector<std::pair<ClassId, ClassId>> pairs;
};

NamedMerges read_named_merges(const TextTable& table) {
  LabelNumbers numbers;
  NamedMerges result;
  for (std::size_t i = 0; i < table.size(); ++i) {
    ClassId both[2];
    for (std::size_t column = 0; column < 2; ++column) {
      both[column] = numbers(table.row(i)[column]);
      if (both[column] == result.entries.size()) {
        result.entries.push_back({table.row(i)[column], table.line(i), both[column], 0});
      }
    }
    result.pairs.emplace_back(both[0], both[1]);
  }
  return result;
}

}  // namespace

Clustering read_merges(const TextTable& table) {
  table.require_columns(3, 5, kMergeColumns);
  check_countdown(table);
  const NamedMerges named = read_named_merges(table);
  const WordList words = make_word_list(table.name(), named.entries);
  Components components(named.entries.size());
  for (std::size_t i = 0; i < named.entries.size(); ++i) components.node(i) = words.id_of_entry[i];
  MergeTree tree{
      .kind = TreeLeaves::words, .leaves = static_cast<std::uint32_t>(named.entries.size()), .merges = {}};
  for (std::size_t i = 0; i < named.pairs.size(); ++i) {
    const std::size_t into = components.root(named.pairs[i].first);
    const std::size_t from = components.root(named.pairs[i].second);
    if (into == from) {
      table.fail(i,
                 fmt::format("'{}' and '{}' are in one class already", shown(table.row(i)[0]),
                             shown(table.row(i)[1])),
                 "each line joins two classes");
    }
    const double ami = table.row(i).size() == 5 ? read_ami(table, i, table.row(i)[4]) : kUnknown;
    tree.merges.push_back({components.node(into), components.node(from), ami});
    components.join(into, from);
    components.node(into) = tree.leaves + static_cast<std::uint32_t>(i);
  }
  // The list does not say where to stop: every word is a class of its own until somebody cuts.
  return {words.vocabulary, words.labels, tree};
}

MergeTree read_firth_merges(std::string_view text, const std::string& name) {
  MergeTree tree;
  const TextTable table(text, name);
  bool have_leaves = false;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto row = table.row(i);
    if (row[0].starts_with('#')) {
      // "# leaves words 5": separated by spaces, unlike the rows.
      if (row.size() != 4 || row[1] != "leaves") continue;
      const std::optional<Count> leaves = parse_count(row[3]);
      if ((row[2] != "words" && row[2] != "classes") || !leaves || *leaves > kNoNode / 2) {
        table.fail(i, "the kind and number of leaves cannot be read",
                   "expected '# leaves words N' or '# leaves classes N'");
      }
      tree.kind = row[2] == "words" ? TreeLeaves::words : TreeLeaves::classes;
      tree.leaves = static_cast<std::uint32_t>(*leaves);
      have_leaves = true;
      continue;
    }
    if (row.size() != 4)
      table.fail(i, fmt::format("{} columns", row.size()), fmt::format("expected {}", kFirthExpected));
    const std::optional<Count> step = parse_count(row[0]);
    const std::optional<Count> left = parse_count(row[1]);
    const std::optional<Count> right = parse_count(row[2]);
    if (!step || !left || !right || *left >= kNoNode || *right >= kNoNode || *step != tree.merges.size()) {
      table.fail(i, fmt::format("this is not merge {}", tree.merges.size()),
                 fmt::format("expected {}", kFirthExpected));
    }
    tree.merges.push_back(
        {static_cast<std::uint32_t>(*left), static_cast<std::uint32_t>(*right), read_ami(table, i, row[3])});
  }
  if (!have_leaves) {
    throw InputError({name}, "the file does not say what its leaves are",
                     "expected a line '# leaves words N' or '# leaves classes N'");
  }
  try {
    check_tree(tree);
  } catch (const UsageError& error) {
    throw InputError({name}, error.what());
  }
  return tree;
}

}  // namespace firth::clusters
