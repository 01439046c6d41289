#include "treebank/penn_tokens.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "text/characters.hpp"
#include "text/line_walk.hpp"

namespace firth::treebank {
namespace {

struct Replacement {
  std::string_view from;
  std::string_view to;
};

// Marks that are tokens wherever they stand.
constexpr std::array kMarks = {
    Replacement{"(", "-LRB-"}, Replacement{")", "-RRB-"}, Replacement{"[", "-LSB-"},
    Replacement{"]", "-RSB-"}, Replacement{"{", "-LCB-"}, Replacement{"}", "-RCB-"},
    Replacement{";", ";"},     Replacement{"?", "?"},     Replacement{"!", "!"},
    Replacement{"@", "@"},     Replacement{"#", "#"},     Replacement{"$", "$"},
    Replacement{"%", "%"},     Replacement{"&", "&"},     Replacement{"...", "..."},
    Replacement{"--", "--"},
};

// Quotes and dashes of typesetters, as the treebank has them.
constexpr std::array kTypeset = {
    Replacement{"\u2018", "'"},    Replacement{"\u2019", "'"},    Replacement{"\u201c", " `` "},
    Replacement{"\u201d", " '' "}, Replacement{"\u2013", " -- "}, Replacement{"\u2014", " -- "},
    Replacement{"\u2026", "..."},
};

constexpr std::array<std::string_view, 8> kEndings = {"n't", "N'T", "'ll", "'re", "'ve", "'LL", "'RE", "'VE"};
constexpr std::array<std::string_view, 6> kShortEndings = {"'s", "'S", "'m", "'M", "'d", "'D"};

constexpr std::array<std::pair<std::string_view, std::size_t>, 8> kJoined = {{{"cannot", 3},
                                                                              {"gonna", 3},
                                                                              {"gotta", 3},
                                                                              {"wanna", 3},
                                                                              {"lemme", 3},
                                                                              {"gimme", 3},
                                                                              {"d'ye", 2},
                                                                              {"more'n", 4}}};

std::string ascii_lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  return lower;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// One field of the line, taken apart from both ends.
class Field {
 public:
  explicit Field(std::string_view text) : rest_(text) {}

  void split(bool last_of_line, std::vector<std::string>& tokens) {
    std::vector<std::string> behind;
    while (take_opening(tokens)) {
    }
    while (take_closing(last_of_line, behind)) {
    }
    split_word(rest_, tokens);
    tokens.insert(tokens.end(), behind.rbegin(), behind.rend());
  }

 private:
  bool take_opening(std::vector<std::string>& tokens) {
    if (rest_.size() < 2 || rest_ == "``" || rest_ == "''") return false;
    if (rest_.front() == '"') return cut_begin(1, "``", tokens);
    if (rest_.starts_with("``") && rest_.size() > 2) return cut_begin(2, "``", tokens);
    const bool quote = (rest_.front() == '\'' || rest_.front() == '`') && !is_digit(rest_[1]) && !is_clitic();
    return quote && cut_begin(1, "`", tokens);
  }

  // 's and 'll may stand alone.
  bool is_clitic() const {
    return std::find(kEndings.begin(), kEndings.end(), rest_) != kEndings.end() ||
           std::find(kShortEndings.begin(), kShortEndings.end(), rest_) != kShortEndings.end();
  }

  bool cut_begin(std::size_t size, std::string_view token, std::vector<std::string>& tokens) {
    tokens.emplace_back(token);
    rest_.remove_prefix(size);
    return true;
  }

  bool cut_end(std::size_t size, std::string_view token, std::vector<std::string>& tokens) {
    tokens.emplace_back(token);
    rest_.remove_suffix(size);
    return true;
  }

  bool take_closing(bool last_of_line, std::vector<std::string>& behind) {
    if (rest_.empty()) return false;
    if (rest_ == "\"") return cut_end(1, "''", behind);
    if (rest_.size() < 2) return false;
    const char last = rest_.back();
    if (rest_ != "''" && rest_.ends_with("''")) return cut_end(2, "''", behind);
    if (last == '"') return cut_end(1, "''", behind);
    if (last == ',' || last == ':') return cut_end(1, std::string_view(&last, 1), behind);
    const bool ends = last_of_line && last == '.' && !rest_.ends_with("..");
    if (ends) return cut_end(1, ".", behind);
    return last == '\'' && rest_ != "''" && cut_end(1, "'", behind);
  }

  static void split_word(std::string_view word, std::vector<std::string>& tokens) {
    if (word.empty()) return;
    for (std::size_t at = word.find(','); at != std::string_view::npos; at = word.find(',', at + 1)) {
      const bool number = at > 0 && at + 1 < word.size() && is_digit(word[at - 1]) && is_digit(word[at + 1]);
      if (number) continue;
      split_word(word.substr(0, at), tokens);
      tokens.emplace_back(",");
      return split_word(word.substr(at + 1), tokens);
    }
    split_contraction(word, tokens);
  }

  static void split_contraction(std::string_view word, std::vector<std::string>& tokens) {
    const std::string lower = ascii_lower(word);
    for (const auto& [joined, first] : kJoined) {
      if (lower != joined) continue;
      tokens.emplace_back(word.substr(0, first));
      tokens.emplace_back(word.substr(first));
      return;
    }
    const std::size_t ending = std::max(ending_size(word, kEndings), ending_size(word, kShortEndings));
    if (word.size() > ending) tokens.emplace_back(word.substr(0, word.size() - ending));
    if (ending > 0) tokens.emplace_back(word.substr(word.size() - ending));
  }

  template <class Endings>
  static std::size_t ending_size(std::string_view word, const Endings& endings) {
    const auto found = std::find_if(endings.begin(), endings.end(), [&](std::string_view ending) {
      return word.size() > ending.size() && word.ends_with(ending);
    });
    return found == endings.end() ? 0 : found->size();
  }

  std::string_view rest_;
};

std::string with_typeset_replaced(std::string_view line) {
  std::string text(line);
  for (const Replacement& one : kTypeset) {
    for (std::size_t at = text.find(one.from); at != std::string::npos; at = text.find(one.from, at)) {
      text.replace(at, one.from.size(), one.to);
      at += one.to.size();
    }
  }
  return text;
}

// Blanks around the marks that are tokens everywhere.
std::string with_marks_apart(std::string_view line) {
  std::string text;
  while (!line.empty()) {
    const auto mark = std::find_if(kMarks.begin(), kMarks.end(),
                                   [&](const Replacement& one) { return line.starts_with(one.from); });
    if (mark == kMarks.end()) {
      text += line.front();
      line.remove_prefix(1);
      continue;
    }
    text += ' ';
    text += mark->to;
    text += ' ';
    line.remove_prefix(mark->from.size());
  }
  return text;
}

bool is_bracket_token(std::string_view field) {
  return field.size() == 5 && field.front() == '-' && field.ends_with("B-");
}

// Whether only quotes and closing brackets follow: a full stop before them ends the sentence.
bool is_closing_mark(std::string_view field) {
  return field == "''" || field == "'" || field == "\"" || field == "-RRB-" || field == "-RSB-" ||
         field == "-RCB-";
}

}  // namespace

std::string penn_tokens(std::string_view line) {
  const std::string text = with_marks_apart(with_typeset_replaced(line));
  std::vector<std::string_view> fields;
  std::string_view rest = text;
  for (std::string_view field = text::next_field(rest); !field.empty(); field = text::next_field(rest))
    fields.push_back(field);
  std::size_t last = fields.size();
  while (last > 1 && is_closing_mark(fields[last - 1])) --last;
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (is_bracket_token(fields[i])) {
      tokens.emplace_back(fields[i]);
    } else {
      Field(fields[i]).split(i + 1 >= last, tokens);
    }
  }
  std::string joined;
  for (const std::string& token : tokens) joined += (joined.empty() ? "" : " ") + token;
  return joined;
}

}  // namespace firth::treebank
