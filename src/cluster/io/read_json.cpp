// The JSON form of a clustering. Trees may be deeper than the stack, so nothing here recurses: nlohmann's
// parser and destructor do not either, its dump() would.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cluster/io/fork_tree.hpp"
#include "cluster/io/formats.hpp"
#include "cluster/io/word_list.hpp"
#include "cluster/merge_tree.hpp"
#include "firth/error.hpp"

namespace firth::clusters {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormatName = "firth-clustering";
constexpr std::uint64_t kVersion = 1;

[[noreturn]] void fail(const std::string& name, std::string_view problem) {
  throw InputError({name}, problem, "docs/formats.md describes the JSON of a clustering");
}

Json parse(std::string_view text, const std::string& name) {
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min<std::size_t>(error.byte, text.size()));
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    throw InputError({name, line}, "this is not JSON", "docs/formats.md describes the JSON of a clustering");
  } catch (const Json::exception&) {
    fail(name, "a number in the JSON is too large");
  }
}

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::vector<WordEntry> read_words(const Json& root, const std::string& name) {
  const Json* classes = find(root, "classes");
  if (classes == nullptr || !classes->is_array()) fail(name, "there is no list 'classes'");
  std::vector<WordEntry> entries;
  for (std::size_t id = 0; id < classes->size(); ++id) {
    const Json* number = find((*classes)[id], "class");
    const Json* words = find((*classes)[id], "words");
    if (number != nullptr && *number != id) fail(name, fmt::format("class {} is numbered otherwise", id));
    if (words == nullptr || !words->is_array()) fail(name, fmt::format("class {} has no list 'words'", id));
    for (const Json& item : *words) {
      const Json* word = find(item, "word");
      const Json* count = find(item, "count");
      if (word == nullptr || !word->is_string())
        fail(name, fmt::format("a word of class {} has no 'word'", id));
      if (count != nullptr && !count->is_number_unsigned()) {
        fail(name, fmt::format("the count of a word of class {} is not a whole number", id));
      }
      entries.push_back({word->get_ref<const std::string&>(), 0, static_cast<ClassId>(id),
                         count == nullptr ? 0 : count->get<Count>()});
    }
  }
  return entries;
}

/// The forks of the JSON, with the step and AMI of each.
struct JsonForks {
  std::vector<Fork> forks;
  std::vector<std::optional<std::uint64_t>> steps;
  std::vector<double> ami_bits;
};

class JsonTreeReader {
 public:
  JsonTreeReader(const std::string& name, const WordList& words, TreeLeaves kind, std::uint32_t leaves)
      : name_(name), index_(words.vocabulary), kind_(kind), leaves_(leaves), used_(leaves) {}

  /// Reads a root and all that is below it.
  void read(const Json& root) {
    // Forks move while the list grows, so children are noted by fork and side, not by address.
    std::vector<Place> places = {{&root, kNoNode, false}};
    while (!places.empty()) {
      const Place place = places.back();
      places.pop_back();
      const std::uint32_t node = read_node(place, places);
      if (place.fork == kNoNode) continue;
      (place.right ? result_.forks[place.fork].right : result_.forks[place.fork].left) = node;
    }
  }

  JsonForks take() { return std::move(result_); }

 private:
  struct Place {
    const Json* json;
    std::uint32_t fork;
    bool right;
  };

  std::uint32_t read_node(const Place& place, std::vector<Place>& places) {
    const Json* children = find(*place.json, "children");
    if (children == nullptr) return read_leaf(*place.json);
    if (!children->is_array() || children->size() != 2)
      fail(name_, "a node of the tree has not two children");
    const auto fork = static_cast<std::uint32_t>(result_.forks.size());
    if (fork >= leaves_) fail(name_, "the tree has more nodes than it can have");
    const Json* step = find(*place.json, "step");
    const Json* ami = find(*place.json, "ami_bits");
    if (step != nullptr && !step->is_number_unsigned())
      fail(name_, "a step of the tree is not a whole number");
    if (ami != nullptr && !ami->is_number()) fail(name_, "an AMI of the tree is not a number");
    result_.forks.push_back({});
    result_.steps.push_back(step == nullptr ? std::nullopt : std::optional(step->get<std::uint64_t>()));
    result_.ami_bits.push_back(ami == nullptr ? std::numeric_limits<double>::quiet_NaN()
                                              : ami->get<double>());
    places.push_back({&(*children)[0], fork, false});
    places.push_back({&(*children)[1], fork, true});
    return leaves_ + fork;
  }

  std::uint32_t read_leaf(const Json& leaf) {
    std::uint32_t node = kNoNode;
    if (kind_ == TreeLeaves::words) {
      const Json* word = find(leaf, "word");
      if (word == nullptr || !word->is_string()) fail(name_, "a leaf of the tree has no 'word'");
      node = index_.find(word->get_ref<const std::string&>()).value_or(kNoNode);
    } else {
      const Json* id = find(leaf, "class");
      if (id == nullptr || !id->is_number_unsigned()) fail(name_, "a leaf of the tree has no 'class'");
      if (id->get<std::uint64_t>() < leaves_) node = id->get<std::uint32_t>();
    }
    if (node == kNoNode) fail(name_, "a leaf of the tree is not among the classes");
    if (used_[node]) fail(name_, "a leaf comes twice in the tree");
    used_[node] = true;
    return node;
  }

  const std::string& name_;
  WordIndex index_;
  TreeLeaves kind_;
  std::uint32_t leaves_;
  std::vector<bool> used_;
  JsonForks result_;
};

/// Forks in the order of their steps; without steps, the deepest first.
MergeTree order_forks(const JsonForks& read, TreeLeaves kind, const std::vector<std::uint32_t>& ranks,
                      const std::string& name) {
  const std::size_t size = read.forks.size();
  const auto has_step = [](const std::optional<std::uint64_t>& step) { return step.has_value(); };
  const auto steps = std::count_if(read.steps.begin(), read.steps.end(), has_step);
  if (steps == 0) {
    MergeTree tree = deepest_first(read.forks, ranks);
    tree.kind = kind;
    return tree;
  }
  if (static_cast<std::size_t>(steps) != size)
    fail(name, "some nodes of the tree have a step and some have not");
  const auto leaves = static_cast<std::uint32_t>(ranks.size());
  MergeTree tree{.kind = kind, .leaves = leaves, .merges = std::vector<TreeMerge>(size)};
  std::vector<bool> seen(size);
  const auto node = [&](std::uint32_t child) {
    return child < leaves ? child : leaves + static_cast<std::uint32_t>(*read.steps[child - leaves]);
  };
  for (std::size_t i = 0; i < size; ++i) {
    if (*read.steps[i] >= size || seen[*read.steps[i]])
      fail(name, "the steps of the tree are not 0, 1, 2, ...");
    seen[*read.steps[i]] = true;
  }
  for (std::size_t i = 0; i < size; ++i) {
    tree.merges[*read.steps[i]] = {node(read.forks[i].left), node(read.forks[i].right), read.ami_bits[i]};
  }
  return tree;
}

std::optional<MergeTree> read_tree(const Json& root, const std::string& name, const WordList& words) {
  const Json* tree = find(root, "tree");
  const Json* forest = find(root, "forest");
  const Json* kind_name = find(root, "leaves");
  if (tree == nullptr && forest == nullptr) return std::nullopt;
  if (kind_name == nullptr || (*kind_name != "words" && *kind_name != "classes")) {
    fail(name, "'leaves' of the tree is neither \"words\" nor \"classes\"");
  }
  const TreeLeaves kind = *kind_name == "words" ? TreeLeaves::words : TreeLeaves::classes;
  std::vector<std::uint32_t> ranks;
  if (kind == TreeLeaves::words) {
    for (std::uint32_t word = 0; word < words.labels.size(); ++word) ranks.push_back(word);
  } else {
    ranks.assign(find(root, "classes")->size(), kNoNode);
    for (std::size_t word = words.labels.size(); word-- > 0;) {
      ranks[words.labels[word]] = static_cast<std::uint32_t>(word);
    }
  }
  JsonTreeReader reader(name, words, kind, static_cast<std::uint32_t>(ranks.size()));
  if (tree != nullptr) {
    reader.read(*tree);
  } else {
    if (!forest->is_array()) fail(name, "'forest' is not a list of trees");
    for (const Json& one : *forest) reader.read(one);
  }
  return order_forks(reader.take(), kind, ranks, name);
}

}  // namespace

Clustering read_json(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const Json root = parse(text, name);
  const Json* format = find(root, "format");
  const Json* version = find(root, "version");
  if (format == nullptr || *format != kFormatName) {
    fail(name, fmt::format("'format' is not \"{}\"", kFormatName));
  }
  if (version == nullptr || *version != kVersion) fail(name, fmt::format("'version' is not {}", kVersion));
  const std::vector<WordEntry> entries = read_words(root, name);
  const WordList words = make_word_list(name, entries);
  try {
    return {words.vocabulary, words.labels, read_tree(root, name, words)};
  } catch (const UsageError& error) {
    fail(name, error.what());
  }
}

}  // namespace firth::clusters
