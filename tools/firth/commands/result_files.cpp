#include "commands/result_files.hpp"

#include <algorithm>
#include <array>
#include <firth/files.hpp>

namespace firth::cli {
namespace {

constexpr std::array<std::string_view, 13> kNames = {"paths",
                                                     "classes.tsv",
                                                     "merges.tsv",
                                                     "counts.tsv",
                                                     "bigrams.tsv",
                                                     "run.json",
                                                     "vectors.npy",
                                                     "vectors.vocab",
                                                     "means-cosine.npy",
                                                     "means-cosine.vocab",
                                                     "means-euclidean.npy",
                                                     "means-euclidean.vocab",
                                                     "preprocessing.txt"};

/// "flat-50.tsv"
bool is_flat_cut(std::string_view name) {
  constexpr std::string_view kBegin = "flat-";
  constexpr std::string_view kEnd = ".tsv";
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return false;
  name.remove_prefix(kBegin.size());
  const std::string_view number = name.substr(0, name.size() - kEnd.size());
  return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool is_result_file(std::string_view name) {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || is_flat_cut(name);
}

void save_result(const std::string& folder, const Clustering& clustering) {
  OutputTransaction outputs;
  outputs.claim_folder(folder, is_result_file);
  save_clustering(folder, clustering, ClusterFormat::firth);
  outputs.commit();
}

}  // namespace firth::cli
