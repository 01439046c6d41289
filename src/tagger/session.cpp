#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "tagger/sentence_tagger.hpp"

namespace firth {

struct TagSession::State {
  State(const Tagger& tagger, int beam) : sentences(tagger, beam) {}

  tagger::SentenceTagger sentences;
  std::vector<tagger::TagParts> parts;
};

void validate(const TagOptions& options) {
  if (options.beam < -1 || options.beam > tagger::kMaxBeam) {
    throw UsageError("the beam is out of range", "give 1 (greedy) to 10000, or 0 for an exact search",
                     "TagOptions::beam");
  }
}

TagSession::TagSession(const Tagger& tagger, const TagOptions& options) {
  validate(options);
  state_ = std::make_unique<State>(tagger, options.beam == -1 ? tagger.beam() : options.beam);
}

TagSession::~TagSession() = default;
TagSession::TagSession(TagSession&&) noexcept = default;
TagSession& TagSession::operator=(TagSession&&) noexcept = default;

std::span<const TagId> TagSession::tag(std::span<const std::string_view> words) {
  return state_->sentences.tag(words);
}

void TagSession::tag_names(std::span<const std::string_view> words, TagScheme scheme,
                           std::vector<std::string>& names) {
  const tagger::TagSet& tags = state_->sentences.tags();
  const std::span<const TagId> found = tag(words);
  names.clear();
  if (tags.scheme() == TagScheme::plain) {
    for (const TagId tag : found) names.push_back(tags.name(tag));
    return;
  }
  state_->parts.clear();
  for (const TagId tag : found) state_->parts.push_back(tags.parts(tag));
  tagger::recode_tags(state_->parts, scheme == TagScheme::automatic ? TagScheme::bio : scheme, names);
}

}  // namespace firth
