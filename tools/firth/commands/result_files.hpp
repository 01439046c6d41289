// The files that commands write into a folder of classes or vectors.
#pragma once

#include <firth/clustering.hpp>
#include <string>
#include <string_view>

namespace firth::cli {

/// Whether a file of this name comes from a run of firth cluster, so that it must not stay beside
/// the result of a later run: classes.tsv, paths, merges.tsv, counts.tsv, bigrams.tsv, vectors, means of classes, flat-K.tsv, run.json.
bool is_result_file(std::string_view name);

/// Writes classes into a folder, in place of all files of an earlier result.
void save_result(const std::string& folder, const Clustering& clustering);

/// Writes classes for GIZA++: the file that mkcls writes, and the words of each class in `path`.cats.
void save_mkcls(const std::string& path, const Clustering& clustering);

}  // namespace firth::cli
