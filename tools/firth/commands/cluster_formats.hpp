// The option that names a format of classes, for every command that has one.
#pragma once

#include <firth/clustering.hpp>
#include <string>

#include "option_table.hpp"

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

}  // namespace firth::cli
