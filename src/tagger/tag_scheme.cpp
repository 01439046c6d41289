#include "tagger/tag_scheme.hpp"

#include <algorithm>
#include <utility>

namespace firth {
namespace tagger {
namespace {

constexpr std::string_view kOutside = "O";

std::optional<Mark> mark_of(char letter) {
  switch (letter) {
    case 'B':
      return Mark::begin;
    case 'I':
    case 'M':
      return Mark::inside;
    case 'L':
    case 'E':
      return Mark::last;
    case 'U':
    case 'S':
    case 'W':
      return Mark::unit;
    default:
      return std::nullopt;
  }
}

bool opens(Mark mark) {
  return mark == Mark::begin || mark == Mark::unit || mark == Mark::outside;
}

bool follows(TagScheme scheme, TagParts previous, TagParts tag) {
  const bool goes_on = tag.mark == Mark::inside || tag.mark == Mark::last;
  const bool unfinished = previous.mark == Mark::begin || previous.mark == Mark::inside;
  if (scheme == TagScheme::bio) return !goes_on || (unfinished && previous.type == tag.type);
  return unfinished ? goes_on && previous.type == tag.type : opens(tag.mark);
}

}  // namespace

std::optional<TagParts> split_tag(std::string_view tag) {
  if (tag == kOutside) return TagParts{};
  if (tag.size() < 3 || tag[1] != '-') return std::nullopt;
  const std::optional<Mark> mark = mark_of(tag[0]);
  if (!mark) return std::nullopt;
  return TagParts{*mark, tag.substr(2)};
}

std::string tag_name(Mark mark, std::string_view type) {
  if (mark == Mark::outside) return std::string(kOutside);
  constexpr std::string_view kLetters = "OBILU";
  return std::string(1, kLetters[static_cast<std::size_t>(mark)]) + "-" + std::string(type);
}

Mark mark_in(TagScheme scheme, std::size_t i, std::size_t begin, std::size_t end) {
  if (scheme == TagScheme::io) return Mark::inside;
  if (scheme == TagScheme::bilou && i + 1 == end) return i == begin ? Mark::unit : Mark::last;
  return i == begin ? Mark::begin : Mark::inside;
}

TagSet::TagSet(TagScheme scheme, std::vector<std::string> names) : scheme_(scheme), names_(std::move(names)) {
  if (scheme_ == TagScheme::plain) {
    tags_ = names_;
    follows_.assign((tags_.size() + 1) * tags_.size(), 1);
    ends_.assign(tags_.size(), 1);
    return;
  }
  tags_.emplace_back(kOutside);
  for (const std::string& type : names_) {
    tags_.push_back(tag_name(Mark::begin, type));
    tags_.push_back(tag_name(Mark::inside, type));
    if (scheme_ != TagScheme::bilou) continue;
    tags_.push_back(tag_name(Mark::last, type));
    tags_.push_back(tag_name(Mark::unit, type));
  }
  for (std::size_t previous = 0; previous <= tags_.size(); ++previous) {
    const TagParts before = previous < tags_.size() ? *split_tag(tags_[previous]) : TagParts{};
    for (const std::string& tag : tags_) {
      follows_.push_back(follows(scheme_, before, *split_tag(tag)) ? 1 : 0);
    }
  }
  for (const std::string& tag : tags_) {
    const Mark mark = split_tag(tag)->mark;
    ends_.push_back(scheme_ == TagScheme::bio || (mark != Mark::begin && mark != Mark::inside) ? 1 : 0);
  }
}

std::optional<TagId> TagSet::find(std::string_view tag) const {
  const auto found = std::find(tags_.begin(), tags_.end(), tag);
  if (found == tags_.end()) return std::nullopt;
  return static_cast<TagId>(found - tags_.begin());
}

void recode_tags(std::span<const TagParts> tags, TagScheme to, std::vector<std::string>& names) {
  names.assign(tags.size(), std::string(kOutside));
  for_each_span(
      tags.size(), [&](std::size_t i) { return tags[i]; },
      [&](std::size_t begin, std::size_t end, std::string_view type) {
        for (std::size_t i = begin; i < end; ++i) names[i] = tag_name(mark_in(to, i, begin, end), type);
      });
}

}  // namespace tagger

std::vector<TagSpan> entity_spans(std::span<const std::string> tags) {
  std::vector<TagSpan> spans;
  tagger::for_each_span(
      tags.size(), [&](std::size_t i) { return tagger::split_tag(tags[i]).value_or(tagger::TagParts{}); },
      [&](std::size_t begin, std::size_t end, std::string_view type) {
        spans.push_back(
            {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), std::string(type)});
      });
  return spans;
}

bool are_entity_tags(std::span<const TaggedSentence> sentences) {
  bool entities = false;
  for (const TaggedSentence& sentence : sentences) {
    for (const std::string& tag : sentence.tags) {
      const auto parts = tagger::split_tag(tag);
      if (!parts) return false;
      entities = entities || parts->mark != tagger::Mark::outside;
    }
  }
  return entities;
}

}  // namespace firth
