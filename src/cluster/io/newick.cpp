#include "firth/newick.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cluster/io/fork_tree.hpp"

namespace firth {
namespace {

/// In quotes where a word has a character that means something.
std::string label(std::string_view word) {
  constexpr std::string_view kSpecial = "()[]{}:;,='\"_ \t\n\r/\\";
  if (!word.empty() && word.find_first_of(kSpecial) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

std::string class_node(const Clustering& clustering, std::span<const WordId> words, ClassId number) {
  if (words.size() == 1) return label(clustering.vocabulary().word(words[0]));
  std::string text = "(";
  for (const WordId word : words) {
    if (text.size() > 1) text += ',';
    text += label(clustering.vocabulary().word(word));
  }
  return text + fmt::format("){}", number);
}

}  // namespace

std::string format_newick(const Clustering& clustering) {
  const std::vector<std::string> bits = clustering.bit_strings();
  const std::vector<std::vector<WordId>> members = clustering.members();
  std::vector<ClassId> order(bits.size());
  std::iota(order.begin(), order.end(), ClassId{0});
  std::sort(order.begin(), order.end(), [&](ClassId a, ClassId b) { return bits[a] < bits[b]; });
  if (order.size() == 1) return class_node(clustering, members[0], 0) + ";\n";
  // From one leaf to the next, the way goes up to the node where their bits part, and down again.
  std::string text;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string& here = bits[order[i]];
    if (i > 0) {
      const std::size_t shared = clusters::common_prefix(bits[order[i - 1]], here);
      text.append(depth - shared - 1, ')');
      text += ',';
      depth = shared + 1;
    }
    text.append(here.size() - depth, '(');
    depth = here.size();
    text += class_node(clustering, members[order[i]], order[i]);
  }
  text.append(depth, ')');
  return text + ";\n";
}

}  // namespace firth
