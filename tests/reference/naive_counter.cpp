#include "reference/naive_counter.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace firth::reference {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (separators.find(c) == std::string_view::npos) {
      parts.back() += c;
    } else {
      parts.emplace_back();
    }
  }
  return parts;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words = split(text, " \t\n\v\f\r");
  std::erase(words, "");
  return words;
}

std::set<std::string> kept_words(const std::map<std::string, Count>& words,
                                 const VocabularyOptions& options) {
  std::vector<std::pair<std::string, Count>> sorted(words.begin(), words.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::set<std::string> kept;
  for (const auto& [word, count] : sorted) {
    if (options.rare == RarePolicy::unk && word == "<unk>") continue;
    if (count >= options.min_count && (options.max_vocab == 0 || kept.size() < options.max_vocab))
      kept.insert(word);
  }
  return kept;
}

void count_sequence(const std::vector<std::string>& words, const std::vector<int>& distances,
                    NaiveCounts& counts) {
  for (const int distance : distances) {
    const auto d = static_cast<std::size_t>(distance);
    NaivePairs& pairs = counts.pairs[distance];
    for (std::size_t i = 0; i + d < words.size(); ++i) {
      if (!words[i].empty() && !words[i + d].empty()) ++pairs[{words[i], words[i + d]}];
    }
  }
  for (const std::string& word : words) {
    if (!word.empty()) ++counts.words[word];
  }
}

// An empty string stands for a word that keeps its place but makes no pairs.
std::vector<std::string> restricted(const std::vector<std::string>& words, const std::set<std::string>& kept,
                                    RarePolicy rare) {
  std::vector<std::string> result;
  for (const std::string& word : words) {
    if (kept.contains(word)) {
      result.push_back(word);
    } else if (rare != RarePolicy::drop) {
      result.emplace_back(rare == RarePolicy::unk ? "<unk>" : "");
    }
  }
  return result;
}

}  // namespace

Sequences naive_text(std::string_view content, TextBoundaries boundaries) {
  if (boundaries == TextBoundaries::stream) return {words_of(content)};
  Sequences sequences;
  for (const std::string& line : split(content, "\n")) sequences.push_back(words_of(line));
  return sequences;
}

Sequences naive_conllu(std::string_view content, std::size_t column, TextBoundaries boundaries) {
  Sequences sequences(1);
  for (std::string line : split(content, "\n")) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) {
      if (boundaries == TextBoundaries::lines) sequences.emplace_back();
      continue;
    }
    if (line.starts_with("#")) continue;
    const std::vector<std::string> columns = split(line, "\t");
    if (columns.front().find_first_of("-.") != std::string::npos) continue;
    std::string word = columns.at(column);
    std::replace(word.begin(), word.end(), ' ', '_');
    sequences.back().push_back(word);
  }
  return sequences;
}

NaiveCounts naive_count(const Sequences& sequences, const VocabularyOptions& vocabulary,
                        const std::vector<int>& distances) {
  NaiveCounts all;
  for (const auto& sequence : sequences) count_sequence(sequence, distances, all);
  NaiveCounts result;
  const std::set<std::string> kept = kept_words(all.words, vocabulary);
  for (const int distance : distances) result.pairs[distance];
  for (const auto& sequence : sequences) {
    result.tokens += sequence.size();
    result.sequences += sequence.empty() ? 0 : 1;
    const bool restricts = vocabulary.restricts();
    count_sequence(restricts ? restricted(sequence, kept, vocabulary.rare) : sequence, distances, result);
  }
  return result;
}

NaiveCounts naive_table(std::string_view content, const VocabularyOptions& vocabulary) {
  NaiveCounts all;
  for (const std::string& line : split(content, "\n")) {
    const std::vector<std::string> fields = words_of(line);
    if (fields.empty()) continue;
    const Count count = std::stoull(fields.at(2));
    if (count == 0) continue;
    all.words[fields[0]] += count;
    all.words[fields[1]] += count;
    all.pairs[1][{fields[0], fields[1]}] += count;
    all.tokens += 2 * count;
  }
  all.pairs[1];
  if (!vocabulary.restricts()) return all;
  const std::set<std::string> kept = kept_words(all.words, vocabulary);
  NaiveCounts result;
  result.tokens = all.tokens;
  result.pairs[1];
  const auto renamed = [&](const std::string& word) {
    return restricted({word}, kept, vocabulary.rare).front();
  };
  for (const auto& [word, count] : all.words) {
    if (!renamed(word).empty()) result.words[renamed(word)] += count;
  }
  for (const auto& [pair, count] : all.pairs[1]) {
    const auto left = renamed(pair.first);
    const auto right = renamed(pair.second);
    if (!left.empty() && !right.empty()) result.pairs[1][{left, right}] += count;
  }
  return result;
}

NaiveCounts as_naive(const Counts& counts) {
  NaiveCounts result;
  const Vocabulary& words = counts.vocabulary();
  for (WordId id = 0; id < words.size(); ++id) result.words[std::string(words.word(id))] += words.count(id);
  for (const int distance : counts.distances()) {
    NaivePairs& pairs = result.pairs[distance];
    const PairCounts& matrix = counts.pairs_at(distance);
    for (WordId left = 0; left < words.size(); ++left) {
      for (std::size_t i = 0; i < matrix.right_words(left).size(); ++i) {
        const WordId right = matrix.right_words(left)[i];
        pairs[{std::string(words.word(left)), std::string(words.word(right))}] +=
            matrix.right_counts(left)[i];
      }
    }
  }
  result.tokens = counts.info().tokens;
  result.sequences = counts.info().sequences;
  return result;
}

std::string difference(const NaiveCounts& expected, const NaiveCounts& got) {
  std::ostringstream text;
  if (expected.tokens != got.tokens) text << "tokens " << expected.tokens << " != " << got.tokens << "\n";
  if (expected.sequences != got.sequences)
    text << "sequences " << expected.sequences << " != " << got.sequences << "\n";
  if (expected.words != got.words) {
    text << "words differ:";
    for (const auto& [word, count] : expected.words) {
      const auto found = got.words.find(word);
      if (found == got.words.end() || found->second != count) text << " '" << word << "' " << count;
    }
    text << " / " << expected.words.size() << " " << got.words.size() << "\n";
  }
  for (const auto& [distance, pairs] : expected.pairs) {
    const auto found = got.pairs.find(distance);
    if (found == got.pairs.end() || found->second != pairs)
      text << "pairs at distance " << distance << " differ\n";
  }
  if (expected.pairs.size() != got.pairs.size()) text << "other distances\n";
  return text.str();
}

bool same_arrays(const Counts& a, const Counts& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  const Vocabulary& v = a.vocabulary();
  const Vocabulary& w = b.vocabulary();
  if (!equal(v.offsets(), w.offsets()) || v.bytes() != w.bytes() || !equal(v.counts(), w.counts()))
    return false;
  if (a.distances() != b.distances()) return false;
  for (const int distance : a.distances()) {
    const PairCounts& p = a.pairs_at(distance);
    const PairCounts& q = b.pairs_at(distance);
    if (!equal(p.offsets(), q.offsets()) || !equal(p.rights(), q.rights()) ||
        !equal(p.counts(), q.counts())) {
      return false;
    }
  }
  return a.info().tokens == b.info().tokens && a.info().sequences == b.info().sequences &&
         a.info().restricted == b.info().restricted && a.info().text_options == b.info().text_options;
}

}  // namespace firth::reference
