#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "firth/gold_tags.hpp"

namespace firth {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 400;
constexpr double kLeft = 60;
constexpr double kTop = 40;
constexpr double kRight = 620;
constexpr double kBottom = 350;

struct Curve {
  const char* name;
  const char* colour;
  double SweepPoint::*value;
};

constexpr Curve kCurves[] = {{"best map", "#1f77b4", &SweepPoint::many_to_one},
                             {"prototype map", "#ff7f0e", &SweepPoint::prototype},
                             {"one tag per word", "#555555", &SweepPoint::upper_bound}};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// Numbers of classes on a logarithmic axis, accuracies on a linear one.
class Frame {
 public:
  explicit Frame(std::span<const SweepPoint> points) {
    double least = 1;
    for (const SweepPoint& point : points) {
      const double place = std::log(static_cast<double>(point.classes));
      first_ = first_ < 0 ? place : std::min(first_, place);
      last_ = std::max(last_, place);
      least = std::min({least, point.many_to_one, point.prototype});
    }
    floor_ = std::floor(least * 10) / 10;
  }

  double x(ClassId classes) const {
    const double span = last_ - first_;
    if (span <= 0) return (kLeft + kRight) / 2;
    return kLeft + (std::log(static_cast<double>(classes)) - first_) / span * (kRight - kLeft);
  }
  double y(double accuracy) const {
    return kBottom - (accuracy - floor_) / (1 - floor_ + 1e-12) * (kBottom - kTop);
  }
  double floor() const { return floor_; }

 private:
  double first_ = -1;
  double last_ = 0;
  double floor_ = 0;
};

std::string axes(std::span<const SweepPoint> points, const Frame& frame) {
  std::string svg;
  for (double level = frame.floor(); level < 1.001; level += 0.1) {
    svg += fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#dddddd\"/>"
        "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.1f}</text>\n",
        kLeft, kRight, frame.y(level), frame.y(level), kLeft - 6, frame.y(level) + 4, level);
  }
  for (const SweepPoint& point : points) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       frame.x(point.classes), kBottom + 18, point.classes);
  }
  return svg;
}

}  // namespace

std::string sweep_tsv(std::span<const SweepPoint> points) {
  std::string text = "classes\tmany_to_one\tprototype\tupper_bound\n";
  for (const SweepPoint& point : points) {
    text += fmt::format("{}\t{:.6f}\t{:.6f}\t{:.6f}\n", point.classes, point.many_to_one, point.prototype,
                        point.upper_bound);
  }
  return text;
}

std::string sweep_svg(std::span<const SweepPoint> points, const std::string& title) {
  const Frame frame(points);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{}\" y=\"22\" font-size=\"14\">{}</text>\n",
      kWidth, kHeight, kWidth, kHeight, kLeft, escaped(title));
  svg += axes(points, frame);
  double legend = kBottom - 60;
  for (const Curve& curve : kCurves) {
    std::string line;
    for (const SweepPoint& point : points) {
      line += fmt::format("{:.1f},{:.1f} ", frame.x(point.classes), frame.y(point.*curve.value));
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n",
                         frame.x(point.classes), frame.y(point.*curve.value), curve.colour);
    }
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", line,
                       curve.colour);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{}\">{}</text>\n", kRight - 10,
                       legend, curve.colour, curve.name);
    legend += 18;
  }
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">number of classes</text>\n</svg>\n",
                     (kLeft + kRight) / 2, kBottom + 40);
  return svg;
}

}  // namespace firth
