// Who reads what.
#pragma once

#include <vector>

#include "base/ranks.hpp"
#include "text/block_reader.hpp"
#include "text/inputs.hpp"

namespace firth::counts {

/// The files, and stretches of files, that this rank reads: about the same number of bytes on every rank, in the
/// order of the inputs. `files` and `cut` (where a file may be cut) are used on rank 0 only. What can be read
/// once only, and what is not a file, is rank 0's; compressed files are not cut.
std::vector<text::InputFile> deal_inputs(const std::vector<text::InputFile>& files, text::CutAt cut,
                                         const base::Ranks& ranks, const std::stop_token& stop);

}  // namespace firth::counts
