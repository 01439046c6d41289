// Plain and resorted entry: the window holds its clusters but one; a word enters, two clusters merge, and so
// on.
#include <algorithm>

#include "cluster/brown/entry_plan.hpp"
#include "cluster/brown/waiting_words.hpp"
#include "firth/brown.hpp"

namespace firth::brown {
namespace {

/// The window that words enter one by one.
class EntryWindow {
 public:
  EntryWindow(const EntryContext& context, const WindowShape& shape)
      : context_(context),
        clusters_(std::max<std::size_t>(shape.capacity - (context.input.line_ends ? 1 : 0), 2) - 1),
        engine_(make_window_engine(context.input, shape, context.recorder, context.run)) {
    if (context.input.line_ends) engine_->add_cluster({0, {0}});
  }

  WindowEngine& engine() { return *engine_; }
  std::span<WordId> waiting() const { return context_.waiting(); }

  /// Whether the next word enters without a merge.
  bool has_room() const { return engine_->live() < clusters_ && !waiting().empty(); }

  void insert() {
    context_.replay.insert(*engine_, waiting()[0]);
    context_.run.check_stop();
  }

  /// `certain`: the number of waiting words whose order will not change.
  void insert_and_merge(std::size_t certain) {
    context_.replay.insert_and_merge(*engine_, waiting().first(certain));
  }

 private:
  EntryContext context_;
  std::size_t clusters_;  ///< before a word enters
  std::unique_ptr<WindowEngine> engine_;
};

class PlainEntry final : public EntryPlan {
 public:
  PlainEntry(const EntryContext& context, const EngineSizes& sizes) : window_(context, sizes.window) {}

  bool step() override {
    while (window_.has_room()) window_.insert();
    if (window_.waiting().empty()) return false;
    window_.insert_and_merge(window_.waiting().size());
    return true;
  }

  MergeEngine& engine() override { return window_.engine(); }
  WindowEngine& finish() override { return window_.engine(); }

 private:
  EntryWindow window_;
};

class ResortedEntry final : public EntryPlan {
 public:
  ResortedEntry(const EntryContext& context, const EngineSizes& sizes)
      : context_(context), window_(context, sizes.window), sorter_(context.input, context.options.resort_by) {
    if (context.input.line_ends) sorter_.inserted(0);
  }

  bool step() override {
    for (; window_.has_room(); window_.insert()) sorter_.inserted(window_.waiting()[0]);
    if (window_.waiting().empty()) return false;
    sorter_.inserted(window_.waiting()[0]);
    const std::size_t merges = context_.recorder.merges().size();
    // The sort follows the word's entry and comes before the merge; the merge does not depend on it, so the
    // engine does both at once.
    if (merges > 0 && merges % context_.options.resort_every == 0 && !context_.replay.active())
      // Only the words that enter before the next sort need their place.
      sorter_.sort(window_.waiting().subspan(1), context_.options.resort_every);
    window_.insert_and_merge(1);
    const TreeMerge& merge = context_.recorder.merges().back();
    sorter_.merged(merge.left, merge.right, static_cast<std::uint32_t>(context_.order.size() + merges));
    return true;
  }

  MergeEngine& engine() override { return window_.engine(); }
  WindowEngine& finish() override { return window_.engine(); }

 private:
  EntryContext context_;
  EntryWindow window_;
  WaitingWords sorter_;
};

}  // namespace

std::unique_ptr<EntryPlan> make_plain_entry(const EntryContext& context, const EngineSizes& sizes) {
  return std::make_unique<PlainEntry>(context, sizes);
}

std::unique_ptr<EntryPlan> make_resorted_entry(const EntryContext& context, const EngineSizes& sizes) {
  return std::make_unique<ResortedEntry>(context, sizes);
}

}  // namespace firth::brown
