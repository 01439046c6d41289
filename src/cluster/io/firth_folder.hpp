// The folder that `firth cluster` writes: paths, classes.tsv, merges.tsv, bigrams.tsv.
#pragma once

#include <stop_token>
#include <string>

#include "firth/clustering.hpp"

namespace firth::clusters {

Clustering read_folder(const std::string& path);
void write_folder(const std::string& path, const Clustering& clustering);

/// All bytes of a file (compressed or not) or of standard input ("-").
std::string read_bytes(const std::string& path, const std::stop_token& stop = {});

}  // namespace firth::clusters
