#include "cluster/brown/recorder.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "firth/brown.hpp"

namespace firth {
namespace brown {

Recorder::Recorder(const ObjectiveTerms& terms, std::uint32_t words, EventSink on_event)
    : terms_(terms), words_(words), on_event_(std::move(on_event)) {
  merges_.reserve(words);
}

void Recorder::inserted(const WindowState& state) {
  ++inserted_;
  ami_bits_ = terms_.ami_bits(state.objective, state.inside);
  tell(false, state);
}

std::uint32_t Recorder::merged(std::uint32_t left, std::uint32_t right, const WindowState& state) {
  ami_bits_ = terms_.ami_bits(state.objective, state.inside);
  merges_.push_back({left, right, ami_bits_});
  tell(true, state);
  return words_ + static_cast<std::uint32_t>(merges_.size()) - 1;
}

void Recorder::tell(bool merged, const WindowState& state) const {
  if (on_event_)
    on_event_({merged, inserted_words(), merges_.size(), state.clusters - line_ends_, ami_bits_});
}

MergeTree Recorder::finish() {
  return {TreeLeaves::words, words_, std::move(merges_)};
}

}  // namespace brown

std::string format_events(std::span<const BrownEvent> events) {
  std::string table = "event\twords\tmerges\tclusters\tami_bits\n";
  for (const BrownEvent& event : events) {
    fmt::format_to(std::back_inserter(table), "{}\t{}\t{}\t{}\t{:.9f}\n", event.merged ? "merge" : "insert",
                   event.words, event.merges, event.clusters, event.ami_bits);
  }
  return table;
}

}  // namespace firth
