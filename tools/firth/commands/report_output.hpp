// What firth evaluate says about classes of words.
#pragma once

#include <firth/evaluate.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace firth::cli {

/// A table for people.
std::string report_table(const ClusteringReport& report, AmiNorm norm);

/// The same for programs.
nlohmann::ordered_json report_json(const ClusteringReport& report, AmiNorm norm);

}  // namespace firth::cli
