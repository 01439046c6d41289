// Estimates of memory and time, for people.
#pragma once

#include <firth/estimate.hpp>
#include <string>

namespace firth::cli {

/// "about 60 MB and 28 s of one core".
std::string estimate_text(const ClusterEstimate& estimate);

/// What to say before a run that takes long, and how to end it earlier; "" if it is short, or nobody knows.
std::string long_run_text(const Counts& counts, const ClusterMethod& method, unsigned threads);

/// What clustering with usual methods and numbers of classes will need, one line per number; "" if the text is so
/// small that nobody needs to know.
std::string estimate_table(const Counts& counts);

}  // namespace firth::cli
