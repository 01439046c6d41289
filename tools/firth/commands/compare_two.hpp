// Two clusterings side by side, as text and as JSON.
#pragma once

#include <firth/compare.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace firth::cli {

/// A clustering and how it was called on the command line.
struct NamedClustering {
  std::string name;
  Clustering clustering;
};

/// Scores, and the `words` most frequent words that changed their company.
std::string agreement_text(const NamedClustering& first, const NamedClustering& second, std::size_t words);
nlohmann::ordered_json agreement_json(const NamedClustering& first, const NamedClustering& second,
                                      std::size_t words);

}  // namespace firth::cli
