// Pictures of a clustering for papers and slides, as SVG that needs nothing else to be shown.
//
//   const firth::Clustering classes = firth::load_clustering("out");
//   const std::string svg = firth::tree_svg(classes, {.classes = 40});
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "firth/clustering.hpp"

namespace firth {

/// What a dendrogram shows.
struct TreePictureOptions {
  std::string title = {};
  /// Cut the tree at K classes, or at as few as it has merges for; every class is a line of text.
  ClassId classes = 50;
  /// Most frequent words to print of each class.
  std::size_t words = 10;
};

/// Throws UsageError for 0 classes.
void validate(const TreePictureOptions& options);

/// The tree above the classes: root on the left, a line of words per class on the right. From left to right the number
/// of classes grows on a logarithmic scale. Throws UsageError if there is no tree.
[[nodiscard]] std::string tree_svg(const Clustering& clustering, const TreePictureOptions& options);

/// Words per class, the largest class first.
[[nodiscard]] std::string sizes_svg(const Clustering& clustering, const std::string& title);

/// A point of a curve.
struct ChartPoint {
  double x = 0;
  double y = 0;
};

/// Title, labels and scales of the axes.
struct ChartOptions {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  bool log_x = false;  ///< needs x > 0
  bool log_y = false;  ///< needs y > 0
};

/// A curve through points with rising x; points that are not finite are left out.
[[nodiscard]] std::string curve_svg(std::span<const ChartPoint> points, const ChartOptions& options);

/// A curve with a name.
struct ChartSeries {
  std::string name = {};
  std::vector<ChartPoint> points = {};
};

/// Several curves in different colours and dashes, with their names beside them.
[[nodiscard]] std::string curves_svg(std::span<const ChartSeries> series, const ChartOptions& options);

}  // namespace firth
