// Logs and snapshots of searches in messages between ranks.
#pragma once

#include <span>
#include <vector>

#include "base/message.hpp"
#include "cluster/exchange/search_checkpoint.hpp"

namespace firth::exchange {

void put_log(base::MessageWriter& writer, std::span<const IterationStats> lines);
std::vector<IterationStats> get_log(base::MessageReader& reader);

void put_snapshot(base::MessageWriter& writer, const SearchSnapshot& snapshot);
SearchSnapshot get_snapshot(base::MessageReader& reader);

}  // namespace firth::exchange
