// What must hold for every file of classes, however it was made.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string_view>

#include "firth/clustering.hpp"
#include "firth/error.hpp"

namespace firth::fuzz {

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline constexpr ClusterFormat kFormats[] = {ClusterFormat::json,  ClusterFormat::classes,
                                             ClusterFormat::srilm, ClusterFormat::clark,
                                             ClusterFormat::paths, ClusterFormat::merges};
inline constexpr std::size_t kFormatsWithoutTree = 4;

/// Writes the classes in a format and reads them again.
inline void check_trip(const Clustering& clustering, ClusterFormat format) {
  try {
    const Clustering again = parse_clustering(format_clustering(clustering, format), "again", format);
    require(again.word_count() == clustering.word_count());
    require(format == ClusterFormat::merges || again.class_count() == clustering.class_count());
    require(format != ClusterFormat::json || again == clustering);
  } catch (const InputError&) {
    // words that the other format cannot hold
  } catch (const UsageError&) {
    // a tree that the other format cannot hold
  }
}

/// Reads the bytes; what is accepted must be a sound clustering that survives a trip through a format. The bytes choose which:
/// all for each would take most of the time, and inputs that are alike choose others. Only Firth's own errors may come out.
inline int check_reader(const std::uint8_t* data, std::size_t size, ClusterFormat format) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Clustering clustering;
  try {
    clustering = parse_clustering(text, "fuzz", format);
  } catch (const InputError&) {
    return 0;
  }
  if (clustering.word_count() == 0) {  // the page of a report on nothing
    require(format == ClusterFormat::automatic && clustering.class_count() == 0);
    return 0;
  }
  require(clustering.class_count() > 0);
  for (const ClassId id : clustering.classes()) require(id < clustering.class_count());
  if (clustering.tree()) {
    const auto fewest = static_cast<ClassId>(clustering.tree()->leaves - clustering.tree()->merges.size());
    require(clustering.cut(fewest).class_count() == fewest);
  }
  const std::size_t formats = clustering.tree() ? std::size(kFormats) : kFormatsWithoutTree;
  check_trip(clustering, kFormats[std::accumulate(data, data + size, size) % formats]);
  return 0;
}

}  // namespace firth::fuzz
