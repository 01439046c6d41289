#include "cluster/brown/recorder.hpp"

#include <fmt/format.h>

namespace firth::brown {

Recorder::Recorder(const ObjectiveTerms& terms, std::uint32_t words, const std::string& trace_file)
    : terms_(terms), words_(words) {
  merges_.reserve(words);
  if (trace_file.empty()) return;
  trace_ = std::make_unique<base::OutputFile>(trace_file);
  trace_->write("event\twords\tmerges\tclusters\tami_bits\n");
}

void Recorder::inserted(const WindowState& state) {
  ++inserted_;
  ami_bits_ = terms_.ami_bits(state.objective, state.inside);
  trace("insert", state);
}

std::uint32_t Recorder::merged(std::uint32_t left, std::uint32_t right, const WindowState& state) {
  ami_bits_ = terms_.ami_bits(state.objective, state.inside);
  merges_.push_back({left, right, ami_bits_});
  trace("merge", state);
  return words_ + static_cast<std::uint32_t>(merges_.size()) - 1;
}

void Recorder::trace(const char* event, const WindowState& state) {
  if (trace_)
    trace_->write(
        fmt::format("{}\t{}\t{}\t{}\t{:.9f}\n", event, inserted_, merges_.size(), state.clusters, ami_bits_));
}

MergeTree Recorder::finish() {
  if (trace_) trace_->commit();
  return {TreeLeaves::words, words_, std::move(merges_)};
}

}  // namespace firth::brown
