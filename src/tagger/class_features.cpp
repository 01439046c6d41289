#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "firth/error.hpp"
#include "firth/features.hpp"
#include "tagger/class_lexicon.hpp"

namespace firth {
namespace {

/// Words whose class is remembered: looking at the spelling of unknown words takes its time.
constexpr std::size_t kMaxRemembered = std::size_t{1} << 16U;

}  // namespace

struct ClassFeatures::Impl {
  Impl(const Clustering& given, const ClassFeatureOptions& options, int window_size)
      : window(window_size),
        values(tagger::class_values(given, options)),
        lexicon(given.vocabulary(), {given.classes().begin(), given.classes().end()}, options.unknown) {
    for (int offset = -window; offset <= window; ++offset) {
      for (const std::string& name : values.names) names.push_back(fmt::format("{}[{}]", name, offset));
    }
  }

  ClassId class_of(std::string_view word) {
    const auto found = remembered.find(std::string(word));
    if (found != remembered.end()) return found->second;
    if (remembered.size() >= kMaxRemembered) remembered.clear();
    const ClassId c = lexicon.find(word, unicode);
    remembered.emplace(word, c);
    return c;
  }

  /// Adds the features that a word of class `c` gives to its neighbour, whose names begin at `first`.
  void add(ClassId c, std::size_t first, bool empty_ones, std::vector<ClassFeature>& features) const {
    for (std::size_t i = 0; i < values.names.size(); ++i) {
      const std::string_view value =
          c == kNoClass ? std::string_view() : std::string_view(values.values[c][i]);
      if (empty_ones || !value.empty()) features.push_back({names[first + i], value});
    }
  }

  std::vector<std::vector<ClassFeature>> of(std::span<const std::string_view> words, bool empty_ones) {
    classes.clear();
    for (const std::string_view word : words) classes.push_back(class_of(word));
    std::vector<std::vector<ClassFeature>> result(words.size());
    for (std::size_t token = 0; token < words.size(); ++token) {
      std::size_t first = 0;
      for (int offset = -window; offset <= window; ++offset, first += values.names.size()) {
        const auto at = static_cast<std::ptrdiff_t>(token) + offset;
        const bool inside = at >= 0 && at < static_cast<std::ptrdiff_t>(classes.size());
        add(inside ? classes[static_cast<std::size_t>(at)] : kNoClass, first, empty_ones, result[token]);
      }
    }
    return result;
  }

  int window;
  tagger::ClassValues values;
  tagger::ClassLexicon lexicon;
  std::vector<std::string> names;
  text::UnicodeWords unicode;
  std::unordered_map<std::string, ClassId> remembered;
  std::vector<ClassId> classes;  ///< of the sentence at hand
};

ClassFeatures::ClassFeatures(const Clustering& classes, const ClassFeatureOptions& options, int window) {
  constexpr int kMaxWindow = 5;
  if (window < 0 || window > kMaxWindow) {
    throw UsageError(fmt::format("a window of {}", window), "give 0 to 5 neighbours to each side",
                     "FeatureFileOptions::window");
  }
  impl_ = std::make_unique<Impl>(classes, options, window);
}

ClassFeatures::~ClassFeatures() = default;
ClassFeatures::ClassFeatures(ClassFeatures&&) noexcept = default;
ClassFeatures& ClassFeatures::operator=(ClassFeatures&&) noexcept = default;

std::span<const std::string> ClassFeatures::names() const {
  return impl_->names;
}

ClassId ClassFeatures::class_of(std::string_view word) {
  return impl_->class_of(word);
}

std::vector<std::vector<ClassFeature>> ClassFeatures::of(std::span<const std::string_view> words) {
  return impl_->of(words, false);
}

std::vector<std::vector<ClassFeature>> ClassFeatures::all_of(std::span<const std::string_view> words) {
  return impl_->of(words, true);
}

}  // namespace firth
