// What `firth evaluate --gold` prints.
#pragma once

#include <firth/gold_tags.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace firth::cli {

/// Tables for people; `prototypes` adds the prototype map.
std::string tagging_table(const GoldReport& report, bool prototypes);

nlohmann::ordered_json tagging_json(const GoldReport& report);

}  // namespace firth::cli
