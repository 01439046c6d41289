// The option that names a format of classes, for every command that has one.
#pragma once

#include <fmt/format.h>

#include <firth/clustering.hpp>
#include <string>

#include "option_table.hpp"
#include "session.hpp"

namespace firth::cli {

/// --from, --to: paths, classes, merges, srilm, clark, json, mkcls, firth.
inline void declare_format(OptionTable& options, const std::string& names, ClusterFormat& target,
                           const std::string& help) {
  options.choice(names, target,
                 {{"paths", ClusterFormat::paths},
                  {"classes", ClusterFormat::classes},
                  {"merges", ClusterFormat::merges},
                  {"srilm", ClusterFormat::srilm},
                  {"clark", ClusterFormat::clark},
                  {"json", ClusterFormat::json},
                  {"mkcls", ClusterFormat::mkcls},
                  {"firth", ClusterFormat::firth}},
                 help);
}

/// More classes than were searched for come from undoing the last merges of words, which splits off rare words.
inline void warn_of_fine_cut(const Clustering& clustering, ClassId cut, Session& session) {
  if (cut <= clustering.class_count() || !clustering.tree()) return;
  if (clustering.tree()->kind != TreeLeaves::words || cut > clustering.tree()->leaves) return;
  session.run().progress->warn(fmt::format(
      "{} classes are more than the {} that were searched for: most of the others are single words; "
      "for {} good classes, cluster again with -c {} (with --window all any cut is good)",
      cut, clustering.class_count(), cut, cut));
}

}  // namespace firth::cli
