// A clustering as sections of a report page, and back.
//
// Leaves are in the order of the tree, so that every node is a run of neighbouring leaves and a
// merge is said by one number: the gap between two leaves that it closes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cluster/io/page_sections.hpp"
#include "firth/clustering.hpp"

namespace firth::clusters {

/// The order of things in the page.
struct PageOrder {
  std::vector<std::uint32_t> leaves;  ///< the leaf (class, or word) at each place
  std::vector<std::uint32_t> gaps;    ///< for each merge, the place where its right part begins
  std::vector<ClassId> classes;       ///< the class at each place
  std::vector<WordId> words;          ///< the word at each place
};

PageOrder page_order(const Clustering& clustering);

/// The merges of a tree whose leaves are in order, from the gaps that they close: each inside 1..leaves-1, once.
std::vector<TreeMerge> merges_of_gaps(std::uint32_t leaves, std::span<const std::uint32_t> gaps);

/// The sections HEAD, WORD, CNTS, SIZE, GAPS, AMIX and AMIR. AMI values are exact for the last 20,000 merges and have
/// 16 binary digits before these.
std::vector<PageSection> pack_clustering(const Clustering& clustering, const PageOrder& order);

/// The clustering of a page. Throws InputError (in the file `name`).
Clustering unpack_clustering(std::span<const PageSection> sections, const std::string& name);

/// The word without line ends and broken UTF-8, which become \n and \xHH, and with \\ for a backslash; and back.
std::string escape_word(std::string_view word);
std::string unescape_word(std::string_view text);

}  // namespace firth::clusters
