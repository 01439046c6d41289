#include "cluster/io/page_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cluster/io/word_list.hpp"
#include "cluster/merge_tree.hpp"
#include "text/utf8.hpp"

namespace firth::clusters {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kExactAmi = 20'000;

/// Where each node of the tree begins when the leaves are in the order of the tree.
std::vector<std::uint32_t> node_starts(const MergeTree& tree, std::span<const std::uint32_t> roots) {
  std::vector<std::uint32_t> sizes(tree.leaves + tree.merges.size(), 1);
  for (std::size_t i = 0; i < tree.merges.size(); ++i)
    sizes[tree.leaves + i] = sizes[tree.merges[i].left] + sizes[tree.merges[i].right];
  std::vector<std::uint32_t> starts(sizes.size());
  std::uint32_t place = 0;
  for (const std::uint32_t root : roots) {
    starts[root] = place;
    place += sizes[root];
  }
  for (std::size_t i = tree.merges.size(); i-- > 0;) {
    const TreeMerge& merge = tree.merges[i];
    starts[merge.left] = starts[tree.leaves + i];
    starts[merge.right] = starts[tree.leaves + i] + sizes[merge.left];
  }
  return starts;
}

/// The nodes that are no part of another one, the one with the smallest leaf first.
std::vector<std::uint32_t> root_nodes(const MergeTree& tree) {
  std::vector<bool> inner(tree.leaves + tree.merges.size());
  std::vector<std::uint32_t> best(inner.size());
  std::iota(best.begin(), best.end(), 0u);
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    inner[tree.merges[i].left] = true;
    inner[tree.merges[i].right] = true;
    best[tree.leaves + i] = std::min(best[tree.merges[i].left], best[tree.merges[i].right]);
  }
  std::vector<std::uint32_t> roots;
  for (std::uint32_t node = 0; node < inner.size(); ++node) {
    if (!inner[node]) roots.push_back(node);
  }
  std::sort(roots.begin(), roots.end(), [&](auto a, auto b) { return best[a] < best[b]; });
  return roots;
}

void order_leaves(const Clustering& clustering, PageOrder& order) {
  if (!clustering.tree()) {
    order.leaves.resize(clustering.class_count());
    std::iota(order.leaves.begin(), order.leaves.end(), 0u);
    return;
  }
  const MergeTree& tree = *clustering.tree();
  const std::vector<std::uint32_t> starts = node_starts(tree, root_nodes(tree));
  order.leaves.resize(tree.leaves);
  for (std::uint32_t leaf = 0; leaf < tree.leaves; ++leaf) order.leaves[starts[leaf]] = leaf;
  for (const TreeMerge& merge : tree.merges) order.gaps.push_back(starts[merge.right]);
}

const char* leaves_name(const Clustering& clustering) {
  if (!clustering.tree()) return "none";
  return clustering.tree()->kind == TreeLeaves::words ? "words" : "classes";
}

/// Bytes of the same weight next to each other: those of falling numbers hardly change.
template <typename Word>
std::string byte_planes(const std::vector<Word>& values) {
  std::string bytes;
  for (unsigned plane = 0; plane < sizeof(Word); ++plane) {
    Word before = 0;
    for (const Word value : values) {
      bytes += static_cast<char>((value ^ before) >> 8 * (sizeof(Word) - 1 - plane) & 255);
      before = value;
    }
  }
  return bytes;
}

template <typename Word>
std::vector<Word> from_planes(std::string_view bytes, std::size_t count, const std::string& name) {
  if (bytes.size() != count * sizeof(Word)) damaged_page(name, "a section has the wrong size");
  std::vector<Word> values(count);
  Word before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Word value = 0;
    for (unsigned plane = 0; plane < sizeof(Word); ++plane)
      value = static_cast<Word>(value << 8 | static_cast<unsigned char>(bytes[plane * count + i]));
    before = values[i] = static_cast<Word>(value ^ before);
  }
  return values;
}

/// A difference modulo 2^64 as a number that is small when the difference is close to 0 on either side; and back.
std::uint64_t folded(std::uint64_t difference) {
  return difference << 1 ^ (difference >> 63 != 0 ? ~std::uint64_t{0} : 0);
}
std::uint64_t unfolded(std::uint64_t number) {
  return number >> 1 ^ (number % 2 != 0 ? ~std::uint64_t{0} : 0);
}

/// A float with 16 binary digits.
std::uint32_t rounded(double value) {
  return (std::bit_cast<std::uint32_t>(static_cast<float>(value)) + 0x80u) & ~0xFFu;
}

void pack_ami(const MergeTree& tree, std::vector<PageSection>& sections) {
  const std::size_t exact = std::min(tree.merges.size(), kExactAmi);
  std::vector<std::uint32_t> first;
  std::vector<std::uint64_t> last;
  for (std::size_t i = 0; i < tree.merges.size(); ++i) {
    const double ami = tree.merges[i].ami_bits;
    const bool known = ami == ami;
    if (i + exact < tree.merges.size()) {
      first.push_back(known ? rounded(ami) : rounded(std::numeric_limits<double>::quiet_NaN()));
    } else {
      last.push_back(std::bit_cast<std::uint64_t>(known ? ami : std::numeric_limits<double>::quiet_NaN()));
    }
  }
  sections.push_back({"AMIR", byte_planes(first)});
  sections.push_back({"AMIX", byte_planes(last)});
}

std::string varints(std::span<const std::uint32_t> numbers) {
  std::string bytes;
  for (const std::uint32_t number : numbers) put_varint(bytes, number);
  return bytes;
}

std::vector<std::uint32_t> class_sizes(const Clustering& clustering, const PageOrder& order) {
  std::vector<std::uint32_t> sizes(clustering.class_count());
  for (const ClassId id : clustering.classes()) ++sizes[id];
  std::vector<std::uint32_t> ordered;
  for (const ClassId id : order.classes) ordered.push_back(sizes[id]);
  return ordered;
}

// Reading.

class Unpacker {
 public:
  Unpacker(std::span<const PageSection> sections, const std::string& name)
      : sections_(sections), name_(name) {}

  Clustering read() {
    read_head();
    if (words_ == 0) return {};
    read_words();
    read_counts();
    const std::vector<ClassId> places = read_class_places();
    std::vector<WordEntry> entries;
    for (std::size_t i = 0; i < spelling_.size(); ++i)
      entries.push_back({spelling_[i], 0, places[i], counts_[i]});
    const WordList list = make_word_list(name_, entries);
    if (kind_ == "none") return {list.vocabulary, list.labels};
    MergeTree tree = read_tree(kind_ == "words" ? words_ : classes_);
    if (kind_ == "classes") return {list.vocabulary, list.labels, std::move(tree)};
    tree.kind = TreeLeaves::words;
    tree = rename_leaves(tree, list.id_of_entry, tree.leaves);
    const std::size_t merges = words_ - classes_;
    if (merges > tree.merges.size()) damaged_page(name_, "its tree does not make its classes");
    std::vector<ClassId> class_of = nodes_after(tree, merges);
    return {list.vocabulary, std::move(class_of), std::move(tree)};
  }

 private:
  std::string_view section(std::string_view name) const {
    for (const PageSection& section : sections_) {
      if (section.name == name) return section.bytes;
    }
    damaged_page(name_, fmt::format("the section {} is missing", name));
  }

  void read_head() {
    const OrderedJson head = OrderedJson::parse(section("HEAD"), nullptr, false);
    const auto number = [&](const char* key) -> std::uint64_t {
      if (!head.is_object() || !head.contains(key) || !head[key].is_number_unsigned())
        damaged_page(name_, fmt::format("its head has no number '{}'", key));
      return head[key].get<std::uint64_t>();
    };
    words_ = number("words");
    classes_ = number("classes");
    merges_ = number("merges");
    if (!head.contains("leaves") || !head["leaves"].is_string()) damaged_page(name_, "its head is damaged");
    kind_ = head["leaves"].get<std::string>();
    const bool known = kind_ == "words" || kind_ == "classes" || kind_ == "none";
    if (!known || classes_ > words_ || (words_ > 0 && classes_ == 0))
      damaged_page(name_, "its head is damaged");
  }

  void read_words() {
    std::string_view text = section("WORD");
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) damaged_page(name_, "its list of words ends too early");
      spelling_.push_back(unescape_word(text.substr(0, end)));
      text.remove_prefix(end + 1);
    }
    if (spelling_.size() != words_) damaged_page(name_, "its list of words is incomplete");
  }

  void read_counts() {
    VarintReader reader(section("CNTS"), name_);
    Count count = 0;
    for (std::size_t i = 0; i < words_; ++i) counts_.push_back(count += unfolded(reader.next()));
  }

  /// The class of each word, in the order of the page; for trees over words, which say it themselves, 0.
  std::vector<ClassId> read_class_places() {
    std::vector<ClassId> places;
    if (kind_ == "words") return std::vector<ClassId>(words_);
    VarintReader reader(section("SIZE"), name_);
    for (std::size_t place = 0; place < classes_; ++place) {
      const std::uint64_t size = reader.next();
      if (size == 0 || size > words_ - places.size()) damaged_page(name_, "its sizes of classes do not fit");
      places.insert(places.end(), size, static_cast<ClassId>(place));
    }
    if (places.size() != words_) damaged_page(name_, "its sizes of classes do not fit");
    return places;
  }

  std::vector<double> read_ami() {
    const std::size_t exact = std::min<std::size_t>(merges_, kExactAmi);
    std::vector<double> ami;
    for (const auto value : from_planes<std::uint32_t>(section("AMIR"), merges_ - exact, name_))
      ami.push_back(std::bit_cast<float>(value));
    for (const auto value : from_planes<std::uint64_t>(section("AMIX"), exact, name_))
      ami.push_back(std::bit_cast<double>(value));
    return ami;
  }

  MergeTree read_tree(std::uint64_t leaves) {
    MergeTree tree{.kind = TreeLeaves::classes, .leaves = static_cast<std::uint32_t>(leaves), .merges = {}};
    if (merges_ >= leaves) damaged_page(name_, "its tree has too many merges");
    VarintReader reader(section("GAPS"), name_);
    std::vector<std::uint32_t> gaps;
    std::vector<bool> closed(leaves);
    for (std::size_t i = 0; i < merges_; ++i) {
      const std::uint64_t gap = reader.next();
      if (gap == 0 || gap >= leaves || closed[gap]) damaged_page(name_, "its tree is damaged");
      closed[gap] = true;
      gaps.push_back(static_cast<std::uint32_t>(gap));
    }
    tree.merges = merges_of_gaps(tree.leaves, gaps);
    const std::vector<double> ami = read_ami();
    for (std::size_t i = 0; i < merges_; ++i) tree.merges[i].ami_bits = ami[i];
    return tree;
  }

  std::span<const PageSection> sections_;
  std::string name_;
  std::uint64_t words_ = 0;
  std::uint64_t classes_ = 0;
  std::uint64_t merges_ = 0;
  std::string kind_;
  std::vector<std::string> spelling_;
  std::vector<Count> counts_;
};

}  // namespace

std::string escape_word(std::string_view word) {
  std::string text;
  while (!word.empty()) {
    const text::FoundFault found = text::check_text(word);
    const std::size_t sound = found.fault == text::TextFault::none ? word.size() : found.offset;
    for (const char byte : word.substr(0, sound)) {
      if (byte == '\n') {
        text += "\\n";
      } else if (byte == '\\') {
        text += "\\\\";
      } else {
        text += byte;
      }
    }
    word.remove_prefix(sound);
    if (word.empty()) break;
    text += fmt::format("\\x{:02x}", static_cast<unsigned char>(word[0]));
    word.remove_prefix(1);
  }
  return text;
}

std::string unescape_word(std::string_view text) {
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      word += text[i];
      continue;
    }
    const char next = text[++i];
    unsigned code = 0;
    if (next == 'n') {
      word += '\n';
    } else if (next == 'x' && i + 2 < text.size() &&
               std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr ==
                   text.data() + i + 3) {
      word += static_cast<char>(code);
      i += 2;
    } else {
      word += next;
    }
  }
  return word;
}

std::vector<TreeMerge> merges_of_gaps(std::uint32_t leaves, std::span<const std::uint32_t> gaps) {
  // The node that begins, and the one that ends, at each place; only entries at the borders of nodes count.
  std::vector<std::uint32_t> beginning(leaves + 1);
  std::vector<std::uint32_t> ending(leaves + 1);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    beginning[leaf] = ending[leaf + 1] = leaf;
    ranges.emplace_back(leaf, leaf + 1);
  }
  std::vector<TreeMerge> merges;
  for (const std::uint32_t gap : gaps) {
    const auto node = static_cast<std::uint32_t>(ranges.size());
    merges.push_back({ending[gap], beginning[gap], std::numeric_limits<double>::quiet_NaN()});
    ranges.emplace_back(ranges[ending[gap]].first, ranges[beginning[gap]].second);
    beginning[ranges[node].first] = node;
    ending[ranges[node].second] = node;
  }
  return merges;
}

PageOrder page_order(const Clustering& clustering) {
  PageOrder order;
  order_leaves(clustering, order);
  const bool over_words = clustering.tree() && clustering.tree()->kind == TreeLeaves::words;
  if (over_words) {
    order.words = order.leaves;
    for (const WordId word : order.words) {
      const ClassId id = clustering.class_of(word);
      if (order.classes.empty() || order.classes.back() != id) order.classes.push_back(id);
    }
    return order;
  }
  order.classes = order.leaves;
  const std::vector<std::vector<WordId>> members = clustering.members();
  for (const ClassId id : order.classes)
    order.words.insert(order.words.end(), members[id].begin(), members[id].end());
  return order;
}

std::vector<PageSection> pack_clustering(const Clustering& clustering, const PageOrder& order) {
  std::vector<PageSection> sections;
  const OrderedJson head = {{"words", clustering.word_count()},
                            {"classes", clustering.class_count()},
                            {"leaves", leaves_name(clustering)},
                            {"merges", order.gaps.size()}};
  sections.push_back({"HEAD", head.dump()});
  std::string words;
  std::string counts;
  Count before = 0;
  for (const WordId word : order.words) {
    words += escape_word(clustering.vocabulary().word(word)) + '\n';
    const Count count = clustering.vocabulary().count(word);
    put_varint(counts, folded(count - before));
    before = count;
  }
  sections.push_back({"WORD", std::move(words)});
  sections.push_back({"CNTS", std::move(counts)});
  sections.push_back({"SIZE", varints(class_sizes(clustering, order))});
  if (clustering.tree()) {
    sections.push_back({"GAPS", varints(order.gaps)});
    pack_ami(*clustering.tree(), sections);
  }
  return sections;
}

Clustering unpack_clustering(std::span<const PageSection> sections, const std::string& name) {
  return Unpacker(sections, name).read();
}

}  // namespace firth::clusters
