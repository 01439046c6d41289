#include "commands/result_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <firth/files.hpp>
#include <firth/text.hpp>

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

/// The words of each class on a line, as mkcls lists them.
std::string mkcls_categories(const Clustering& clustering) {
  std::string text = "0:$,\n1:\n";
  constexpr ClassId kFirst = 2;
  const auto members = clustering.members();
  for (ClassId c = 0; c < members.size(); ++c) {
    text += fmt::format("{}:", c + kFirst);
    for (const WordId word : members[c]) {
      if (clustering.vocabulary().word(word) != kUnknownWord)
        text += fmt::format("{},", clustering.vocabulary().word(word));
    }
    text += '\n';
  }
  return text;
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

void save_mkcls(const std::string& path, const Clustering& clustering) {
  OutputTransaction outputs;
  save_clustering(path, clustering, ClusterFormat::mkcls);
  save_text(path + ".cats", mkcls_categories(clustering));
  outputs.commit();
}

}  // namespace firth::cli
