// Elements of SVG as text.
#pragma once

#include <string>
#include <string_view>

namespace firth::report {

/// Where a text hangs on its point.
enum class Anchor { start, middle, end };

/// A picture that grows element by element.
class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  void line(double x1, double y1, double x2, double y2, std::string_view colour);
  void text(double x, double y, std::string_view content, Anchor anchor = Anchor::start,
            std::string_view colour = "#222");
  /// Text upwards, turned around its point.
  void upright_text(double x, double y, std::string_view content);
  void dot(double x, double y, std::string_view colour);
  void raw(std::string_view element) { body_ += element; }

  /// The picture; nothing can be added after it.
  std::string finish() &&;

 private:
  std::string body_;
};

/// A number for an axis: "0.25", "300", "12k", "3M".
std::string tick_text(double value);

}  // namespace firth::report
