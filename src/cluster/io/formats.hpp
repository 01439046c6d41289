// One reader and one writer a file format. Readers throw InputError with the line; writers hand their bytes
// on piece by piece. docs/formats.md describes the formats.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cluster/io/text_table.hpp"
#include "firth/clustering.hpp"

namespace firth::clusters {

/// Takes the bytes of a file in order.
using Sink = std::function<void(std::string_view)>;

/// How sure one can be which column is the word.
enum class ColumnOrder {
  detect,      ///< look at the content; InputError if it cannot be told
  word_first,  ///< look at the content; the word comes first if it cannot be told
};

/// The format of the text. Throws InputError if it cannot be told.
ClusterFormat detect_format(std::string_view text, const std::string& name);

Clustering read_paths(const TextTable& table);
Clustering read_classes(const TextTable& table, ColumnOrder order);
Clustering read_merges(const TextTable& table);
Clustering read_srilm(const TextTable& table);
Clustering read_clark(const TextTable& table);
Clustering read_json(std::string_view text, const std::string& name);

/// Whether no path is the start of another one, so that they are the leaves of a tree.
bool is_prefix_free(std::vector<std::string_view> paths);

void write_paths(const Clustering& clustering, const Sink& sink);
void write_classes(const Clustering& clustering, const Sink& sink);
/// As mkcls writes them for GIZA++, which reserves the first two numbers: class + 2, words sorted by bytes, no
/// `<unk>`.
void write_mkcls(const Clustering& clustering, const Sink& sink);
/// word<TAB>count, for folders without paths.
void write_word_counts(const Vocabulary& vocabulary, const Sink& sink);
void write_merges(const Clustering& clustering, const Sink& sink);
void write_srilm(const Clustering& clustering, const Sink& sink);
void write_clark(const Clustering& clustering, const Sink& sink);
void write_json(const Clustering& clustering, const Sink& sink);

/// The tree of Firth's own merges.tsv.
MergeTree read_firth_merges(std::string_view text, const std::string& name);
void write_firth_merges(const MergeTree& tree, const Sink& sink);

/// Classes by the numbers that files give them.
using ClassNumbers = std::unordered_map<Count, ClassId>;

/// The class bigrams of bigrams.tsv; every class number in it must be in `numbers`.
PairCounts read_class_bigrams(std::string_view text, const std::string& name, const ClassNumbers& numbers);
void write_class_bigrams(const PairCounts& bigrams, const Sink& sink);

}  // namespace firth::clusters
