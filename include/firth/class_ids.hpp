// Classes of token ids, by id: what a language model's head or a lookup table wants.
//
//   const firth::Clustering clustering = firth::load_clustering("out");
//   const std::vector<std::int32_t> class_of = firth::classes_by_id(clustering);
//   firth::save_classes_by_id("classes.npy", class_of);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/run.hpp"

namespace firth {

/// The class of every token id from 0 to the largest one; -1 for ids that the clustering does not have. Words are
/// decimal numbers or, with `id_names` (TextOptions::id_names), the names in that file, and then there is an entry for
/// each name. `<unk>` is left out where it is no name. Throws InputError for a word that is no id, UsageError if the
/// table would have more than 2^28 entries, IoError.
[[nodiscard]] std::vector<std::int32_t> classes_by_id(const Clustering& clustering,
                                                      const std::string& id_names = {},
                                                      const RunOptions& run = {});

/// Writes the table as .npy (int32, one dimension); complete or not at all.
void save_classes_by_id(const std::string& path, const std::vector<std::int32_t>& classes);

}  // namespace firth
