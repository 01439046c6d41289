#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "firth/error.hpp"
#include "firth/pictures.hpp"
#include "report/page_template.hpp"
#include "report/svg.hpp"

namespace firth {
namespace {

constexpr double kWidth = 560;
constexpr double kHeight = 340;
constexpr double kLeft = 70;
constexpr double kRight = 540;
constexpr double kTop = 40;
constexpr double kBottom = 285;
constexpr double kLegendWidth = 150;
constexpr const char* kGrid = "#dddddd";
constexpr std::size_t kMaxDots = 60;
constexpr std::size_t kMaxName = 60;

/// Colours that differ for colour-blind people, too; dashes tell apart what has the same colour, or none in print.
constexpr std::array<const char*, 6> kColours = {"#1f5fa8", "#c2410c", "#00796b",
                                                 "#8e24aa", "#6d4c41", "#333333"};
constexpr std::array<const char*, 5> kDashes = {"", "7 3", "2 3", "9 3 2 3", "4 2"};

/// Numbers on one axis, and where they are in pixels.
class Axis {
 public:
  Axis(double low, double high, std::pair<double, double> pixels, bool log)
      : low_(low), high_(high), from_(pixels.first), to_(pixels.second), log_(log) {
    if (low_ == high_) {
      const double margin = low_ == 0 ? 1 : std::abs(low_) * 0.05;
      low_ -= margin;
      high_ += margin;
    }
  }

  double at(double value) const {
    return from_ + (turned(value) - turned(low_)) / (turned(high_) - turned(low_)) * (to_ - from_);
  }

  std::vector<double> ticks() const {
    std::vector<double> ticks = log_ ? log_ticks() : round_ticks();
    if (ticks.size() < 2) ticks = {low_, high_};
    return ticks;
  }

 private:
  double turned(double value) const { return log_ ? std::log(value) : value; }

  std::vector<double> round_ticks() const {
    const double raw = (high_ - low_) / 4;
    const double unit = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * unit;
    for (const double factor : {5.0, 2.0, 1.0}) {
      if (factor * unit >= raw) step = factor * unit;
    }
    std::vector<double> ticks;
    for (double i = std::ceil(low_ / step - 1e-9); i * step <= high_ + step * 1e-9; ++i)
      ticks.push_back(i * step);
    return ticks;
  }

  std::vector<double> log_ticks() const {
    std::vector<double> ticks;
    const bool wide = high_ / low_ > 1000;
    for (double power = std::floor(std::log10(low_)); power <= std::ceil(std::log10(high_)); ++power) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double tick = factor * std::pow(10, power);
        if (tick >= low_ * 0.999 && tick <= high_ * 1.001 && (factor == 1 || !wide)) ticks.push_back(tick);
      }
    }
    return ticks;
  }

  double low_;
  double high_;
  double from_;
  double to_;
  bool log_;
};

std::vector<ChartPoint> drawable(std::span<const ChartPoint> points, const ChartOptions& options) {
  std::vector<ChartPoint> kept;
  for (const ChartPoint& point : points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    if ((options.log_x && point.x <= 0) || (options.log_y && point.y <= 0)) continue;
    kept.push_back(point);
  }
  return kept;
}

std::vector<ChartSeries> drawable(std::span<const ChartSeries> series, const ChartOptions& options) {
  std::vector<ChartSeries> kept;
  for (const ChartSeries& one : series) {
    std::vector<ChartPoint> points = drawable(one.points, options);
    if (!points.empty()) kept.push_back({one.name, std::move(points)});
  }
  return kept;
}

Axis axis_of(const std::vector<ChartSeries>& series, double ChartPoint::*value,
             std::pair<double, double> pixels, bool log) {
  double low = series.front().points.front().*value;
  double high = low;
  for (const ChartSeries& one : series) {
    for (const ChartPoint& point : one.points) {
      low = std::min(low, point.*value);
      high = std::max(high, point.*value);
    }
  }
  return {low, high, pixels, log};
}

void draw_axes(report::Svg& svg, const Axis& x, const Axis& y, const ChartOptions& options) {
  for (const double tick : y.ticks()) {
    svg.line(kLeft, y.at(tick), kRight, y.at(tick), kGrid);
    svg.text(kLeft - 6, y.at(tick) + 4, report::tick_text(tick), report::Anchor::end);
  }
  for (const double tick : x.ticks()) {
    svg.line(x.at(tick), kBottom, x.at(tick), kBottom + 4, "#999999");
    svg.text(x.at(tick), kBottom + 18, report::tick_text(tick), report::Anchor::middle);
  }
  svg.text((kLeft + kRight) / 2, kHeight - 14, options.x_label, report::Anchor::middle);
  svg.upright_text(18, (kTop + kBottom) / 2, options.y_label);
}

/// How the curve of this number is drawn.
std::string stroke(std::size_t number) {
  const char* dashes = kDashes[number % kDashes.size()];
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}", kColours[number % kColours.size()],
                     *dashes == 0 ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

void draw_curve(report::Svg& svg, const std::vector<ChartPoint>& points,
                std::pair<const Axis&, const Axis&> axes, std::size_t number) {
  const auto& [x, y] = axes;
  std::string path;
  for (const ChartPoint& point : points) path += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.y));
  svg.raw(fmt::format("<polyline points=\"{}\" {}/>\n", path, stroke(number)));
  for (const ChartPoint& point : points) {
    if (points.size() <= kMaxDots) svg.dot(x.at(point.x), y.at(point.y), kColours[number % kColours.size()]);
  }
}

/// Names in the order in which the curves end, from top to bottom.
void draw_legend(report::Svg& svg, const std::vector<ChartSeries>& series) {
  std::vector<std::size_t> order(series.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return series[a].points.back().y > series[b].points.back().y;
  });
  double y = kTop + 8;
  for (const std::size_t number : order) {
    svg.raw(fmt::format("<polyline points=\"{:.1f},{:.1f} {:.1f},{:.1f}\" {}/>\n", kRight + 10, y,
                        kRight + 38, y, stroke(number)));
    svg.text(kRight + 44, y + 4, report::shortened(series[number].name, kMaxName));
    y += 18;
  }
}

}  // namespace

std::string curves_svg(std::span<const ChartSeries> series, const ChartOptions& options) {
  const std::vector<ChartSeries> kept = drawable(series, options);
  if (kept.empty()) throw UsageError("there is no point to draw");
  const bool named = kept.size() > 1 || !kept.front().name.empty();
  const Axis x = axis_of(kept, &ChartPoint::x, {kLeft, kRight}, options.log_x);
  const Axis y = axis_of(kept, &ChartPoint::y, {kBottom, kTop}, options.log_y);
  report::Svg svg(kWidth + (named ? kLegendWidth : 0), kHeight, options.title);
  svg.text(kLeft, 22, options.title);
  draw_axes(svg, x, y, options);
  for (std::size_t i = 0; i < kept.size(); ++i) draw_curve(svg, kept[i].points, {x, y}, i);
  if (named) draw_legend(svg, kept);
  return std::move(svg).finish();
}

std::string curve_svg(std::span<const ChartPoint> points, const ChartOptions& options) {
  return curves_svg({{{.points = {points.begin(), points.end()}}}}, options);
}

std::string sizes_svg(const Clustering& clustering, const std::string& title) {
  std::vector<double> sizes;
  for (const auto& members : clustering.members()) sizes.push_back(static_cast<double>(members.size()));
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  std::vector<ChartPoint> points;
  for (std::size_t i = 0; i < sizes.size(); ++i) points.push_back({static_cast<double>(i + 1), sizes[i]});
  return curve_svg(points, {.title = title,
                            .x_label = "classes, largest first",
                            .y_label = "words",
                            .log_x = sizes.size() > 20,
                            .log_y = !sizes.empty() && sizes.front() > 20});
}

}  // namespace firth
