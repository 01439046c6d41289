#include "cluster/brown/entry_plan.hpp"

#include "firth/brown.hpp"

namespace firth::brown {
namespace {

/// Words of equal frequency enter together until there are more clusters than classes; then clusters merge
/// until there are as many as classes, and the next words enter. Only if the first words of equal frequency
/// outnumber the classes may any two of them merge, as in a window; from then on, one of two that merge has
/// been there before the last words entered.
class GroupedEntry final : public EntryPlan {
 public:
  GroupedEntry(const EntryContext& context, const EngineSizes& sizes) : context_(context), sizes_(sizes) {
    if (sizes.window.capacity > 0)
      window_ = make_window_engine(context.input, sizes.window, context.recorder, context.run);
    else
      groups_ = make_group_engine(context.input, sizes.groups, context.recorder, context.run);
  }

  bool step() override {
    while (engine().live() <= context_.options.classes) {
      if (context_.waiting().empty()) return false;
      enter_group();
    }
    context_.replay.merge(engine());
    return true;
  }

  MergeEngine& engine() override {
    if (window_ != nullptr) return *window_;
    return *groups_;
  }

  WindowEngine& finish() override {
    if (window_ == nullptr) {
      const std::vector<ClusterWords> clusters = groups_->clusters();
      groups_.reset();
      window_ =
          make_window_engine(context_.input, {.capacity = clusters.size()}, context_.recorder, context_.run);
      for (const ClusterWords& cluster : clusters) window_->add_cluster(cluster);
    }
    return *window_;
  }

 private:
  void enter_group() {
    if (context_.recorder.inserted_words() > 0) prepare_groups();
    const Vocabulary& vocabulary = context_.input.counts.vocabulary();
    const Count count = vocabulary.count(context_.waiting()[0]);
    while (!context_.waiting().empty() && vocabulary.count(context_.waiting()[0]) == count) {
      const WordId word = context_.waiting()[0];
      if (window_ != nullptr)
        context_.replay.insert(*window_, word);
      else
        groups_->insert(word);
      context_.run.check_stop();
    }
  }

  /// What has entered so far may merge with what follows.
  void prepare_groups() {
    if (window_ == nullptr) return groups_->promote_all();
    const std::vector<ClusterWords> clusters = window_->clusters();
    window_.reset();
    groups_ = make_group_engine(context_.input, sizes_.groups, context_.recorder, context_.run);
    for (const ClusterWords& cluster : clusters) groups_->add_cluster(cluster);
  }

  EntryContext context_;
  EngineSizes sizes_;
  std::unique_ptr<WindowEngine> window_;  ///< either the first group, or ...
  std::unique_ptr<GroupEngine> groups_;   ///< ... this is at work
};

}  // namespace

std::unique_ptr<EntryPlan> make_grouped_entry(const EntryContext& context, const EngineSizes& sizes) {
  return std::make_unique<GroupedEntry>(context, sizes);
}

}  // namespace firth::brown
