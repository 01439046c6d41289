#include "commands/compare_two.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "commands/terminal_text.hpp"
#include "progress_bar.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string measures_line(std::string_view unit, const PartitionAgreement& agreement) {
  return fmt::format("  over {}: VI {:.4f} bits, V {:.2f} %, adjusted Rand {:.4f}\n", unit, agreement.vi_bits,
                     100 * agreement.v_measure, agreement.adjusted_rand);
}

Json measures_json(const PartitionAgreement& agreement) {
  return {{"vi_bits", agreement.vi_bits},
          {"v_measure", agreement.v_measure},
          {"adjusted_rand", agreement.adjusted_rand}};
}

/// A word that moved, and who was with it before and is now.
struct MovedWord {
  std::string word;
  std::string before;  ///< the first words of its class of the first clustering
  std::string after;
};

/// The most frequent other words of each class.
class ClassWords {
 public:
  explicit ClassWords(const Clustering& clustering)
      : clustering_(clustering), members_(clustering.members()) {}

  std::string around(std::string_view word, ClassId id) const {
    constexpr std::size_t kShown = 4;
    std::string text;
    std::size_t shown = 0;
    for (const WordId other : members_[id]) {
      const std::string_view spelling = clustering_.vocabulary().word(other);
      if (spelling == word || shown == kShown) continue;
      text += fmt::format("{}{}", shown++ > 0 ? " " : "", spelling);
    }
    return text;
  }

 private:
  const Clustering& clustering_;
  std::vector<std::vector<WordId>> members_;
};

std::vector<MovedWord> moved_words(const Clustering& first, const Clustering& second,
                                   const ClusteringAgreement& agreement, std::size_t words) {
  const ClassWords before(first);
  const ClassWords after(second);
  const WordIndex index(second.vocabulary());
  std::vector<MovedWord> moved;
  for (const WordId word : agreement.moved) {
    if (moved.size() == words) break;
    const std::string_view spelling = first.vocabulary().word(word);
    moved.push_back({std::string(spelling), before.around(spelling, first.class_of(word)),
                     after.around(spelling, second.class_of(*index.find(spelling)))});
  }
  return moved;
}

}  // namespace

std::string agreement_text(const NamedClustering& first, const NamedClustering& second, std::size_t words) {
  const ClusteringAgreement agreement = compare_clusterings(first.clustering, second.clustering);
  std::string text =
      fmt::format("{} and {}: {} words in both, {} only in the first, {} only in the second\n",
                  terminal_text(first.name), terminal_text(second.name), grouped(agreement.common),
                  grouped(agreement.only_first), grouped(agreement.only_second));
  text += measures_line("words", agreement.types) + measures_line("tokens", agreement.tokens);
  text += fmt::format("  {} of {} words are no longer with the rest of their class\n",
                      grouped(agreement.moved.size()), grouped(agreement.common));
  for (const MovedWord& moved : moved_words(first.clustering, second.clustering, agreement, words))
    text += fmt::format("    {}: [{}] -> [{}]\n", moved.word, moved.before, moved.after);
  return text;
}

Json agreement_json(const NamedClustering& first, const NamedClustering& second, std::size_t words) {
  const ClusteringAgreement agreement = compare_clusterings(first.clustering, second.clustering);
  Json json = {{"first", first.name},
               {"second", second.name},
               {"common_words", agreement.common},
               {"only_first", agreement.only_first},
               {"only_second", agreement.only_second},
               {"types", measures_json(agreement.types)},
               {"tokens", measures_json(agreement.tokens)},
               {"moved_words", agreement.moved.size()},
               {"moved", Json::array()}};
  for (const MovedWord& moved : moved_words(first.clustering, second.clustering, agreement, words))
    json["moved"].push_back({{"word", moved.word}, {"before", moved.before}, {"after", moved.after}});
  return json;
}

}  // namespace firth::cli
