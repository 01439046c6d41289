#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "firth/error.hpp"
#include "firth/pictures.hpp"
#include "report/page_places.hpp"
#include "report/page_template.hpp"
#include "report/svg.hpp"

namespace firth {
namespace {

constexpr double kRow = 16;
constexpr double kTreeTop = 40;
constexpr double kTreeLeft = 20;
constexpr double kTreeWidth = 300;
constexpr double kLetterWidth = 6.6;  // of 12 pixels, on average; decides only how wide the picture is
constexpr std::size_t kMaxWordLetters = 24;
constexpr const char* kBranch = "#54708f";

/// Where a node stands.
struct Spot {
  double x;
  double y;
};

/// From left (one class) to right (all classes), logarithmically.
double level(double classes, double all) {
  return kTreeLeft + (all > 1 ? std::log(classes) / std::log(all) : 1) * kTreeWidth;
}

/// The words of a class, each in its own direction.
std::string words_of(const Clustering& clustering, std::span<const WordId> members, std::size_t count) {
  std::string text;
  for (const WordId word : members.first(std::min(count, members.size()))) {
    text += fmt::format(
        "<tspan unicode-bidi=\"isolate\">{}</tspan> ",
        report::escape_html(report::shortened(clustering.vocabulary().word(word), kMaxWordLetters)));
  }
  return text;
}

std::size_t letters_of(const Clustering& clustering, std::span<const WordId> members, std::size_t count) {
  std::size_t letters = 0;
  for (const WordId word : members.first(std::min(count, members.size())))
    letters += std::min(clustering.vocabulary().word(word).size(), kMaxWordLetters) + 1;
  return letters;
}

void draw_branches(report::Svg& svg, const report::PagePlaces& places) {
  const auto all = static_cast<double>(places.class_count());
  std::vector<Spot> spots;
  for (std::uint32_t place = 0; place < places.class_count(); ++place)
    spots.push_back({kTreeLeft + kTreeWidth + 8, kTreeTop + kRow * (place + 0.5)});
  std::vector<bool> has_parent(spots.size() + places.merges.size());
  for (std::size_t i = 0; i < places.merges.size(); ++i) {
    const TreeMerge& merge = places.merges[i];
    const double x = level(all - static_cast<double>(i) - 1, all);
    const Spot left = spots[merge.left];
    const Spot right = spots[merge.right];
    svg.line(x, left.y, left.x, left.y, kBranch);
    svg.line(x, right.y, right.x, right.y, kBranch);
    svg.line(x, left.y, x, right.y, kBranch);
    has_parent[merge.left] = has_parent[merge.right] = true;
    spots.push_back({x, (left.y + right.y) / 2});
  }
  for (std::size_t node = 0; node < spots.size(); ++node) {
    if (!has_parent[node]) svg.line(kTreeLeft - 10, spots[node].y, spots[node].x, spots[node].y, kBranch);
  }
}

/// The clustering at the number of classes that is asked for, as far as its tree goes.
Clustering cut_for_picture(const Clustering& clustering, ClassId classes) {
  if (!clustering.tree()) throw UsageError("there is no tree to draw", "make one with build_tree()");
  if (clustering.class_count() <= classes) return clustering;
  const MergeTree& tree = *clustering.tree();
  const auto roots = static_cast<ClassId>(tree.leaves - tree.merges.size());
  return clustering.cut(std::max(classes, roots));
}

}  // namespace

void validate(const TreePictureOptions& options) {
  if (options.classes > 0) return;
  throw UsageError("a picture of no classes", "give at least 1", "TreePictureOptions::classes");
}

std::string tree_svg(const Clustering& clustering, const TreePictureOptions& options) {
  validate(options);
  const Clustering shown = cut_for_picture(clustering, options.classes);
  const report::PagePlaces places(shown);
  const std::vector<std::vector<WordId>> members = shown.members();
  std::size_t letters = 0;
  for (const auto& words : members) letters = std::max(letters, letters_of(shown, words, options.words));
  const double text_left = kTreeLeft + kTreeWidth + 14;
  const double width = std::ceil(text_left + 40 + static_cast<double>(letters) * kLetterWidth);
  report::Svg svg(width, kTreeTop + kRow * places.class_count() + 20, options.title);
  svg.text(kTreeLeft - 10, 22, options.title);
  draw_branches(svg, places);
  for (std::uint32_t place = 0; place < places.class_count(); ++place) {
    const ClassId id = places.order.classes[place];
    const double y = kTreeTop + kRow * (place + 0.5) + 4;
    svg.text(text_left + 28, y, fmt::format("{}", id), report::Anchor::end, "#777");
    svg.raw(fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#222\">{}</text>\n", text_left + 36, y,
                        words_of(shown, members[id], options.words)));
  }
  return std::move(svg).finish();
}

}  // namespace firth
