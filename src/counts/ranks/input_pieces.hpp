// Who reads what.
#pragma once

#include <vector>

#include "base/ranks.hpp"
#include "firth/error.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"
#include "text/block_reader.hpp"
#include "text/inputs.hpp"

namespace firth::counts {

/// The format that the files have, which `options` then says, and where they may be cut: found out by rank 0.
text::CutAt agree_on_format(const std::vector<text::InputFile>& files, TextOptions& options,
                            const base::Ranks& ranks, const RunOptions& run);

/// The files, and stretches of files, that this rank reads: about the same number of bytes on every rank, in the
/// order of the inputs. `files` and `cut` (where a file may be cut) are used on rank 0 only. What can be read
/// once only, and what is not a file, is rank 0's; compressed files are not cut.
std::vector<text::InputFile> deal_inputs(const std::vector<text::InputFile>& files, text::CutAt cut,
                                         const base::Ranks& ranks, const std::stop_token& stop);

/// An error in a part of a file says where it is in the file. Cuts are at lines, so the column is right unless a
/// line is cut.
[[noreturn]] void throw_with_line(const InputError& error, const std::vector<text::InputFile>& files);

}  // namespace firth::counts
