// One page to look at a clustering: a single HTML file that needs nothing else.
//
//   const firth::Clustering classes = firth::load_clustering("out");
//   const std::string html = firth::build_report(classes, {.title = "Word classes of the Bible"});
//
// load_clustering reads such a page again: it is an archive of its clustering.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/counts.hpp"
#include "firth/embed.hpp"
#include "firth/gold_tags.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"

namespace firth {

/// A word of a text with the words around it.
struct ConcordanceLine {
  WordId word = 0;     ///< of the clustering
  std::string before;  ///< the words before it, separated by spaces
  std::string after;
};

/// What a page shows besides the classes themselves; whatever is missing is left out of the page. Everything pointed to
/// must outlive the call of build_report().
struct ReportContents {
  /// Heading of the page; "" = "Word classes".
  std::string title = {};
  /// Keep the N most frequent words, and the first word of every class; 0 = all words. The page says how many were left
  /// out, and is an archive of the others only.
  std::uint64_t max_words = 500'000;
  /// The content of run.json, "" = not known.
  std::string run_json = {};
  /// Counts of a text: neighbours, typicality, coverage.
  const Counts* counts = nullptr;
  /// Lines of a text, as concordance() finds them.
  std::vector<ConcordanceLine> lines = {};
  /// Vectors of words: classes that are close, and typicality by them.
  const WordVectors* vectors = nullptr;
  /// A tagged text: shares of tags in classes.
  const GoldText* gold = nullptr;
  /// Another clustering to compare with, and its name.
  const Clustering* other = nullptr;
  std::string other_name = {};
};

/// The page. Same bytes for the same contents. Throws UsageError (run_json is not JSON), Cancelled.
[[nodiscard]] std::string build_report(const Clustering& clustering, const ReportContents& contents,
                                       const RunOptions& run = {});

/// Writes a page (or any text); complete or not at all. Throws IoError.
void save_report(const std::string& path, const std::string& page);

/// What to look for in a text.
struct ConcordanceOptions {
  /// Words of each class to look for, the most frequent ones; one line is kept for each.
  std::size_t words_per_class = 5;
  /// Words to keep on either side.
  std::size_t width = 6;
};

/// Lines of a text for the most frequent words of every class: the first place of each word with that many words on both
/// sides, else the place with most. Throws InputError, IoError, Cancelled; UsageError for tables of counts.
[[nodiscard]] std::vector<ConcordanceLine> concordance(const Clustering& clustering, const Inputs& inputs,
                                                       const TextOptions& text,
                                                       const ConcordanceOptions& options,
                                                       const RunOptions& run = {});

}  // namespace firth
