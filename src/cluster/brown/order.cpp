#include "cluster/brown/order.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/files.hpp"
#include "firth/error.hpp"

namespace firth::brown {
namespace {

std::vector<WordId> read_order(const Vocabulary& vocabulary, const std::string& path) {
  const base::MappedFile file(path);
  std::string_view rest(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  const WordIndex index(vocabulary);
  std::vector<bool> seen(vocabulary.size());
  std::vector<WordId> order;
  for (std::uint64_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.ends_with('\r')) word.remove_suffix(1);
    if (word.empty()) continue;
    const auto id = index.find(word);
    if (!id)
      throw InputError({path, line}, fmt::format("the word \"{}\" is not in the vocabulary", word),
                       "list words of the text only, one per line");
    if (seen[*id])
      throw InputError({path, line}, fmt::format("the word \"{}\" is listed twice", word),
                       "list every word once");
    seen[*id] = true;
    order.push_back(*id);
  }
  return order;
}

}  // namespace

std::vector<WordId> entry_order(const Counts& counts, const BrownOptions& options) {
  if (!options.order.empty() && !options.order_file.empty())
    throw UsageError("an order and an order file are given", "give one of them");
  const std::size_t words = counts.vocabulary().size();
  std::vector<WordId> order =
      options.order_file.empty() ? options.order : read_order(counts.vocabulary(), options.order_file);
  std::vector<bool> seen(words);
  for (const WordId word : order) {
    if (word >= words || seen[word])
      throw UsageError(fmt::format("word {} of the order is unknown or repeated", word),
                       "every word may be listed once");
    seen[word] = true;
  }
  for (WordId word = 0; word < words; ++word)
    if (!seen[word]) order.push_back(word);
  return order;
}

}  // namespace firth::brown
