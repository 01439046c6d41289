// firth show: classes in the terminal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <firth/clustering.hpp>
#include <firth/error.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>

#include "commands/commands.hpp"
#include "commands/terminal_text.hpp"
#include "progress_bar.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A clustering with what is shown of each class.
class ClassBook {
 public:
  explicit ClassBook(const Clustering& clustering)
      : clustering_(clustering), members_(clustering.members()), tokens_(clustering.class_count()) {
    for (WordId word = 0; word < clustering.word_count(); ++word) {
      tokens_[clustering.class_of(word)] += clustering.vocabulary().count(word);
      total_ += clustering.vocabulary().count(word);
    }
    const auto& tree = clustering.tree();
    if (tree && tree->merges.size() + 1 == tree->leaves) bits_ = clustering.bit_strings();
  }

  ClassId size() const { return clustering_.class_count(); }
  bool has_bits() const { return !bits_.empty(); }
  const std::string& bits(ClassId id) const { return has_bits() ? bits_[id] : kNone; }
  Count tokens(ClassId id) const { return tokens_[id]; }
  std::span<const WordId> words(ClassId id) const { return members_[id]; }
  const Clustering& clustering() const { return clustering_; }

  /// Of all tokens; of all words where nothing was counted.
  double share(Count tokens, std::uint64_t words) const {
    return total_ > 0 ? static_cast<double>(tokens) / static_cast<double>(total_)
                      : static_cast<double>(words) / static_cast<double>(clustering_.word_count());
  }
  double share(ClassId id) const { return share(tokens_[id], members_[id].size()); }

  std::vector<std::string> top_words(ClassId id, std::size_t count) const {
    std::vector<std::string> top;
    for (const WordId word : members_[id]) {
      if (top.size() == count) break;
      top.emplace_back(clustering_.vocabulary().word(word));
    }
    return top;
  }

  /// Other classes, those that share the longest way from the root first.
  std::vector<ClassId> nearest(ClassId id, std::size_t count) const {
    std::vector<std::pair<std::size_t, ClassId>> order;
    for (ClassId other = 0; has_bits() && other < size(); ++other) {
      const auto [end, ignored] =
          std::mismatch(bits_[id].begin(), bits_[id].end(), bits_[other].begin(), bits_[other].end());
      const auto apart = static_cast<std::size_t>(bits_[id].end() - end);
      if (other != id) order.emplace_back(apart, other);
    }
    std::sort(order.begin(), order.end());
    std::vector<ClassId> result;
    for (const auto& [apart, other] : order) {
      if (result.size() == count) break;
      result.push_back(other);
    }
    return result;
  }

 private:
  inline static const std::string kNone;
  const Clustering& clustering_;
  std::vector<std::vector<WordId>> members_;
  std::vector<Count> tokens_;
  std::vector<std::string> bits_;
  Count total_ = 0;
};

/// A node of the tree, by the bits that lead to it.
struct Branch {
  std::uint64_t classes = 0;
  std::uint64_t words = 0;
  Count tokens = 0;
  std::vector<std::string> top;
};

/// All nodes at most `depth` bits below the root, a parent before its children.
std::map<std::string, Branch> branches(const ClassBook& book, std::size_t depth, std::size_t words) {
  std::map<std::string, Branch> result;
  const auto each_prefix = [&](ClassId id, auto act) {
    const std::string bits = book.size() == 1 ? "" : book.bits(id);
    for (std::size_t length = 0; length <= std::min(depth, bits.size()); ++length)
      act(result[bits.substr(0, length)]);
  };
  for (ClassId id = 0; id < book.size(); ++id) {
    each_prefix(id, [&](Branch& branch) {
      ++branch.classes;
      branch.words += book.words(id).size();
      branch.tokens += book.tokens(id);
    });
  }
  const Clustering& clustering = book.clustering();
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    each_prefix(clustering.class_of(word), [&](Branch& branch) {
      if (branch.top.size() < words) branch.top.emplace_back(clustering.vocabulary().word(word));
    });
  }
  return result;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shown_word(word);
  return text;
}

std::string class_line(const ClassBook& book, ClassId id, std::size_t words) {
  return fmt::format("{:>6}  {:<16} {:>8} words {:>6.2f} %  {}\n", id, book.bits(id),
                     grouped(book.words(id).size()), 100 * book.share(id), joined(book.top_words(id, words)));
}

std::string words_text(std::uint64_t words) {
  return fmt::format("{} word{}", grouped(words), words == 1 ? "" : "s");
}

Json class_json(const ClassBook& book, ClassId id, std::size_t words) {
  return {{"class", id},
          {"bits", book.has_bits() ? Json(book.bits(id)) : Json(nullptr)},
          {"words", book.words(id).size()},
          {"tokens", book.tokens(id)},
          {"share", book.share(id)},
          {"top_words", book.top_words(id, words)}};
}

constexpr std::size_t kAllWords = static_cast<std::size_t>(-1);
constexpr std::size_t kNearest = 5;

constexpr const char* kDescription =
    "Without words: the classes with most tokens. With words: the class of each, its bits, its other words, and the classes next to it in the tree. With --depth: the top of the tree. Control characters in words are shown as \\xHH, words of 100 characters and more are cut (--json has them whole). 'firth report' shows the same as a page.";

void refuse_missing_classes(const ClassBook& book, std::span<const ClassId> classes,
                            const std::string& path) {
  for (const ClassId id : classes) {
    if (id >= book.size())
      throw UsageError(fmt::format("--class: there is no class {}", id),
                       fmt::format("{} has the classes 0 to {}", path, book.size() - 1));
  }
}

class ShowCommand : public Command {
 public:
  std::string name() const override { return "show"; }
  std::string summary() const override { return "shows classes, words or the tree in the terminal"; }
  std::string description() const override { return kDescription; }
  std::vector<Example> examples() const override {
    return {{"firth show out", "The largest classes of the folder out."},
            {"firth show out king Monday", "The classes of two words, and their neighbours in the tree."},
            {"firth show out --class 12 -n 0", "All words of class 12."},
            {"firth show out --depth 4", "The tree to its 16 uppermost branches."},
            {"firth show out king --json | jq .words[0].class", "For programs."}};
  }

  void declare(OptionTable& options, Session& session) override {
    options.positional("DIR", in_, "A folder that firth cluster wrote, or a file of classes in any format.");
    options.positionals("WORD", words_, "Words to look up.", false);
    options.group("Output");
    options.number<std::size_t>("--classes", "N", classes_, {0, 1u << 30}, "Classes to list; 0 = all.");
    options.numbers<ClassId>("--class", "N,N...", wanted_, {0, std::numeric_limits<ClassId>::max() - 1},
                             "List these classes only.");
    options.number<std::size_t>("-n,--words", "N", top_, {0, 1u << 30},
                                "Words to list of each class; 0 = all.");
    options.number<std::size_t>("--depth", "N", depth_, {0, 1u << 20},
                                "Print the tree to N bits below its root; 0 = no tree.");
    options.number<ClassId>("--cut", "K", cut_, {0, std::numeric_limits<ClassId>::max() - 1},
                            "Cut the tree at K classes first; 0 = leave the classes as they are.");
    options.flag("--json", json_, "Print JSON.");
    session.declare(options, {.threads = false});
  }

  void run(Session& session) override {
    Clustering clustering = load_clustering(in_, ClusterFormat::automatic, session.run());
    if (cut_ > 0) clustering = clustering.cut(cut_);
    if (top_ == 0) top_ = kAllWords;
    const ClassBook book(clustering);
    if (!words_.empty() && depth_ > 0)
      throw UsageError("--depth shows the tree, not words", "leave out one of the two");
    if (!wanted_.empty() && (depth_ > 0 || !words_.empty()))
      throw UsageError("--class lists classes, not words or the tree", "leave out one of the two");
    refuse_missing_classes(book, wanted_, in_);
    if (depth_ > 0 && !book.has_bits()) {
      throw UsageError(fmt::format("{} has no complete tree to show", in_), "make one with firth tree");
    }
    const Json json = words_.empty() ? (depth_ > 0 ? tree_json(book) : list_json(book)) : words_json(book);
    if (json_) return session.print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    session.print(words_.empty() ? (depth_ > 0 ? tree_text(book) : list_text(book)) : words_text_of(book));
  }

 private:
  std::vector<ClassId> listed(const ClassBook& book) const {
    if (!wanted_.empty()) return wanted_;
    std::vector<ClassId> first(classes_ == 0 ? book.size() : std::min<std::size_t>(classes_, book.size()));
    std::iota(first.begin(), first.end(), ClassId{0});
    return first;
  }

  std::string list_text(const ClassBook& book) const {
    std::string text =
        fmt::format("{} classes of {}\n", grouped(book.size()), words_text(book.clustering().word_count()));
    for (const ClassId id : listed(book)) text += class_line(book, id, top_);
    return text;
  }

  Json list_json(const ClassBook& book) const {
    Json list = Json::array();
    for (const ClassId id : listed(book)) list.push_back(class_json(book, id, top_));
    return {{"class_count", book.size()},
            {"word_count", book.clustering().word_count()},
            {"classes", std::move(list)}};
  }

  std::string tree_text(const ClassBook& book) const {
    std::string text;
    for (const auto& [bits, branch] : branches(book, depth_, top_)) {
      text += fmt::format("{:<{}} {:>6} {} {:>6.2f} %  {}\n",
                          std::string(bits.size(), ' ') + (bits.empty() ? "*" : bits), 2 * depth_ + 1,
                          grouped(branch.classes), branch.classes == 1 ? "class  " : "classes",
                          100 * book.share(branch.tokens, branch.words), joined(branch.top));
    }
    return text;
  }

  Json tree_json(const ClassBook& book) const {
    Json list = Json::array();
    for (const auto& [bits, branch] : branches(book, depth_, top_)) {
      list.push_back({{"bits", bits},
                      {"classes", branch.classes},
                      {"words", branch.words},
                      {"tokens", branch.tokens},
                      {"share", book.share(branch.tokens, branch.words)},
                      {"top_words", branch.top}});
    }
    return {{"branches", std::move(list)}};
  }

  WordId find(const ClassBook& book, const WordIndex& index, const std::string& word) const {
    const std::optional<WordId> id = index.find(word);
    if (id) return *id;
    throw InputError({in_}, fmt::format("the word '{}' has no class", shown_word(word)),
                     spelling_advice(book.clustering().vocabulary(), word));
  }

  std::string words_text_of(const ClassBook& book) const {
    const WordIndex index(book.clustering().vocabulary());
    std::string text;
    for (const std::string& word : words_) {
      const WordId id = find(book, index, word);
      const ClassId home = book.clustering().class_of(id);
      const auto members = book.words(home);
      const auto rank = std::find(members.begin(), members.end(), id) - members.begin() + 1;
      text += fmt::format("{}{}: class {}{}, word {} of {}, seen {} times\n", text.empty() ? "" : "\n",
                          shown_word(word), home, book.has_bits() ? " (" + book.bits(home) + ")" : "",
                          grouped(static_cast<std::uint64_t>(rank)), grouped(members.size()),
                          grouped(book.clustering().vocabulary().count(id)));
      text += class_line(book, home, top_);
      const std::vector<ClassId> near = book.nearest(home, kNearest);
      if (!near.empty()) text += "next to it in the tree:\n";
      for (const ClassId other : near) text += class_line(book, other, top_);
    }
    return text;
  }

  Json words_json(const ClassBook& book) const {
    const WordIndex index(book.clustering().vocabulary());
    Json list = Json::array();
    for (const std::string& word : words_) {
      const WordId id = find(book, index, word);
      const ClassId home = book.clustering().class_of(id);
      Json item = {{"word", word}, {"count", book.clustering().vocabulary().count(id)}, {"class", home}};
      item["home"] = class_json(book, home, top_);
      item["nearest"] = Json::array();
      for (const ClassId other : book.nearest(home, kNearest))
        item["nearest"].push_back(class_json(book, other, top_));
      list.push_back(std::move(item));
    }
    return {{"words", std::move(list)}};
  }

  std::string in_;
  std::vector<std::string> words_;
  std::vector<ClassId> wanted_;
  std::size_t classes_ = 20;
  std::size_t top_ = 10;
  std::size_t depth_ = 0;
  ClassId cut_ = 0;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_show_command() {
  return std::make_unique<ShowCommand>();
}

}  // namespace firth::cli
