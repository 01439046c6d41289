// The cells of a comparison as people read them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "firth/compare.hpp"
#include "report/comparison_columns.hpp"

namespace firth::report {

/// A line of headings, then a line per row. The best of each score among rows with as many classes has a star.
std::vector<std::vector<std::string>> comparison_cells(std::span<const ComparedRow> rows);

/// One of those cells.
std::string score_text(std::span<const ComparedRow> rows, const ComparedRow& row, const Score& score);

}  // namespace firth::report
