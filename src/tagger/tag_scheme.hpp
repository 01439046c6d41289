// Tags that mark entities: what they say, and which may follow which.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/tagger.hpp"

namespace firth::tagger {

/// What a tag says of its word's place in an entity. Other letters for the same are read: E = L, S = W = U,
/// M = I.
enum class Mark : std::uint8_t { outside, begin, inside, last, unit };

struct TagParts {
  Mark mark = Mark::outside;
  std::string_view type;  ///< empty for O

  friend bool operator==(const TagParts&, const TagParts&) = default;
};

/// "B-PER" is begin, "PER": cut at the first hyphen, as conlleval does. Nothing for what is not such a tag.
std::optional<TagParts> split_tag(std::string_view tag);

/// Calls add(begin, end, type) for every entity; `part(i)` gives the i-th tag.
template <typename Part, typename Add>
void for_each_span(std::size_t size, const Part& part, const Add& add) {
  std::size_t begin = 0;
  TagParts open;  // outside: no entity is open
  for (std::size_t i = 0; i <= size; ++i) {
    const TagParts now = i < size ? part(i) : TagParts{};
    const bool starts = now.mark == Mark::begin || now.mark == Mark::unit ||
                        (now.mark != Mark::outside && (open.mark == Mark::outside || now.type != open.type));
    if (open.mark != Mark::outside && (starts || now.mark == Mark::outside)) {
      add(begin, i, open.type);
      open = {};
    }
    if (starts) begin = i;
    open = now;
    if (now.mark == Mark::last || now.mark == Mark::unit) {
      add(begin, i + 1, now.type);
      open = {};
    }
  }
}

/// The name of a tag: "B-PER", "O".
std::string tag_name(Mark mark, std::string_view type);

/// The mark of word `i` of an entity begin..end-1 in a scheme (bio, bilou or io).
Mark mark_in(TagScheme scheme, std::size_t i, std::size_t begin, std::size_t end);

/// The tags of a tagger, numbered: for entity schemes O is 0 and the types follow by name.
class TagSet {
 public:
  TagSet() = default;
  /// Tags of a scheme that is not automatic. For plain: `names` are the tags; otherwise the types.
  TagSet(TagScheme scheme, std::vector<std::string> names);

  TagScheme scheme() const noexcept { return scheme_; }
  std::size_t size() const noexcept { return tags_.size(); }
  const std::string& name(TagId tag) const { return tags_[tag]; }
  /// What the set was made of.
  const std::vector<std::string>& names() const noexcept { return names_; }
  TagParts parts(TagId tag) const {
    return scheme_ == TagScheme::plain ? TagParts{} : *split_tag(tags_[tag]);
  }
  std::optional<TagId> find(std::string_view tag) const;

  /// Whether `tag` may follow `previous`; previous = size() is the beginning of the sentence.
  bool may_follow(std::size_t previous, TagId tag) const { return follows_[previous * size() + tag] != 0; }
  /// Whether a sentence may end with it.
  bool may_end(TagId tag) const { return ends_[tag] != 0; }
  /// One number per tag: 1 = may follow `previous`.
  std::span<const std::uint8_t> followers(std::size_t previous) const {
    return std::span(follows_).subspan(previous * size(), size());
  }
  std::span<const std::uint8_t> ends() const noexcept { return ends_; }

 private:
  TagScheme scheme_ = TagScheme::plain;
  std::vector<std::string> names_;
  std::vector<std::string> tags_;
  std::vector<std::uint8_t> follows_;
  std::vector<std::uint8_t> ends_;
};

/// Tags of an entity scheme in another one.
void recode_tags(std::span<const TagParts> tags, TagScheme to, std::vector<std::string>& names);

}  // namespace firth::tagger
