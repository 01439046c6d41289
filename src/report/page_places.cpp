#include "report/page_places.hpp"

namespace firth::report {
namespace {

/// The gaps between classes that the merges above the classes close.
std::vector<std::uint32_t> class_gaps(const Clustering& clustering, const PagePlaces& places) {
  if (!clustering.tree() || clustering.tree()->kind == TreeLeaves::classes) return places.order.gaps;
  std::vector<std::uint32_t> gaps;
  const std::size_t below = clustering.word_count() - clustering.class_count();
  for (std::size_t i = below; i < places.order.gaps.size(); ++i) {
    const WordId right = places.order.words[places.order.gaps[i]];
    gaps.push_back(places.class_place[clustering.class_of(right)]);
  }
  return gaps;
}

}  // namespace

PagePlaces::PagePlaces(const Clustering& clustering)
    : order(clusters::page_order(clustering)),
      class_place(clustering.class_count()),
      word_place(clustering.word_count()) {
  for (std::uint32_t place = 0; place < order.classes.size(); ++place)
    class_place[order.classes[place]] = place;
  for (std::uint32_t place = 0; place < order.words.size(); ++place) word_place[order.words[place]] = place;
  merges = clusters::merges_of_gaps(class_count(), class_gaps(clustering, *this));
}

}  // namespace firth::report
