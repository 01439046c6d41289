// What must hold for every file of classes, however it was made.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "firth/clustering.hpp"
#include "firth/error.hpp"

namespace firth::fuzz {

inline void require(bool condition) {
  if (!condition) std::abort();
}

/// Reads the bytes; what is accepted must be a sound clustering that survives a trip through JSON and through
/// its own format. Only Firth's own errors may come out.
inline int check_reader(const std::uint8_t* data, std::size_t size, ClusterFormat format) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Clustering clustering;
  try {
    clustering = parse_clustering(text, "fuzz", format);
  } catch (const InputError&) {
    return 0;
  }
  require(clustering.word_count() > 0 && clustering.class_count() > 0);
  for (const ClassId id : clustering.classes()) require(id < clustering.class_count());
  if (clustering.tree()) {
    const auto fewest = static_cast<ClassId>(clustering.tree()->leaves - clustering.tree()->merges.size());
    require(clustering.cut(fewest).class_count() == fewest);
  }
  for (const ClusterFormat other : {ClusterFormat::json, ClusterFormat::paths, ClusterFormat::classes,
                                    ClusterFormat::merges, ClusterFormat::srilm, ClusterFormat::clark}) {
    try {
      const Clustering again = parse_clustering(format_clustering(clustering, other), "again", other);
      require(again.word_count() == clustering.word_count());
      require(other == ClusterFormat::merges || again.class_count() == clustering.class_count());
      require(other != ClusterFormat::json || again == clustering);
    } catch (const InputError&) {
      // words that the other format cannot hold
    } catch (const UsageError&) {
      // no tree
    }
  }
  return 0;
}

}  // namespace firth::fuzz
