// What `firth evaluate --gold` prints.
#pragma once

#include <firth/tagging.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace firth::cli {

/// Tables for people; `prototypes` adds the prototype map.
std::string tagging_table(const TaggingReport& report, bool prototypes);

nlohmann::ordered_json tagging_json(const TaggingReport& report);

}  // namespace firth::cli
