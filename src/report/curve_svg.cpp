#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "firth/error.hpp"
#include "firth/pictures.hpp"
#include "report/svg.hpp"

namespace firth {
namespace {

constexpr double kWidth = 560;
constexpr double kHeight = 340;
constexpr double kLeft = 70;
constexpr double kRight = 540;
constexpr double kTop = 40;
constexpr double kBottom = 285;
constexpr const char* kCurve = "#1f5fa8";
constexpr const char* kGrid = "#dddddd";
constexpr std::size_t kMaxDots = 60;

/// Numbers on one axis, and where they stand in pixels.
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

Axis axis_of(const std::vector<ChartPoint>& points, double ChartPoint::*value,
             std::pair<double, double> pixels, bool log) {
  const auto [low, high] =
      std::minmax_element(points.begin(), points.end(),
                          [value](const ChartPoint& a, const ChartPoint& b) { return a.*value < b.*value; });
  return {(*low).*value, (*high).*value, pixels, log};
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

}  // namespace

std::string curve_svg(std::span<const ChartPoint> points, const ChartOptions& options) {
  const std::vector<ChartPoint> kept = drawable(points, options);
  if (kept.empty()) throw UsageError("there is no point to draw");
  const Axis x = axis_of(kept, &ChartPoint::x, {kLeft, kRight}, options.log_x);
  const Axis y = axis_of(kept, &ChartPoint::y, {kBottom, kTop}, options.log_y);
  report::Svg svg(kWidth, kHeight, options.title);
  svg.text(kLeft, 22, options.title);
  draw_axes(svg, x, y, options);
  std::string path;
  for (const ChartPoint& point : kept) path += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.y));
  svg.raw(fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path,
                      kCurve));
  for (const ChartPoint& point : kept) {
    if (kept.size() <= kMaxDots) svg.dot(x.at(point.x), y.at(point.y), kCurve);
  }
  return std::move(svg).finish();
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
