#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "firth/error.hpp"
#include "firth/world.hpp"

namespace firth {
namespace {

/// What the ranks of one world share: a place for each rank, and a barrier that an error opens for good.
class Meeting {
 public:
  explicit Meeting(unsigned ranks) : places(ranks), ranks_(ranks) {}

  /// What a rank shows to the others between two barriers. Copies: when the world breaks, a rank may be gone, and its
  /// own data with it, while another one still reads.
  struct Place {
    std::vector<std::byte> bytes;
    std::vector<std::vector<std::byte>> messages;
    std::vector<std::uint64_t> numbers;
    unsigned group = 0;
    std::shared_ptr<Meeting> new_meeting;
  };
  std::vector<Place> places;

  unsigned ranks() const { return ranks_; }

  /// The place of a rank, to be filled before it waits. Throws WorldBroken where others may still read an old one.
  Place& own(unsigned rank) {
    const std::lock_guard lock(mutex_);
    if (broken_) throw WorldBroken();
    return places[rank];
  }

  /// Returns when all ranks have arrived. Throws WorldBroken if one of them never will.
  void wait() {
    std::unique_lock lock(mutex_);
    if (broken_) throw WorldBroken();
    if (++arrived_ == ranks_) {
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
      return;
    }
    const std::uint64_t round = round_;
    changed_.wait(lock, [&] { return broken_ || round_ != round; });
    if (round_ == round) throw WorldBroken();
  }

  /// Nobody waits here any more, nor in the meetings made of this one.
  void break_up() {
    std::vector<std::shared_ptr<Meeting>> parts;
    {
      const std::lock_guard lock(mutex_);
      broken_ = true;
      parts = parts_;
    }
    changed_.notify_all();
    for (const auto& part : parts) part->break_up();
  }

  void add_part(std::shared_ptr<Meeting> part) {
    const std::lock_guard lock(mutex_);
    parts_.push_back(std::move(part));
  }

 private:
  unsigned ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned arrived_ = 0;
  std::uint64_t round_ = 0;
  bool broken_ = false;
  std::vector<std::shared_ptr<Meeting>> parts_;
};

/// A rank that is a thread: every call shows its data, waits, copies what the others show, and waits again.
class ThreadWorld final : public World {
 public:
  ThreadWorld(std::shared_ptr<Meeting> meeting, unsigned rank) : meeting_(std::move(meeting)), rank_(rank) {}

  unsigned rank() const noexcept override { return rank_; }
  unsigned size() const noexcept override { return meeting_->ranks(); }

  void gather(std::span<std::byte> all, std::span<const std::size_t> begins) override {
    const auto part = [&](unsigned r) { return all.subspan(begins[r], begins[r + 1] - begins[r]); };
    const auto mine = part(rank_);
    own().bytes.assign(mine.begin(), mine.end());
    meeting_->wait();
    for (unsigned r = 0; r < size(); ++r) {
      if (r != rank_) std::ranges::copy(meeting_->places[r].bytes, part(r).begin());
    }
    meeting_->wait();
  }

  std::vector<std::vector<std::byte>> exchange(std::span<const std::vector<std::byte>> to) override {
    own().messages.assign(to.begin(), to.end());
    meeting_->wait();
    std::vector<std::vector<std::byte>> from;
    for (const Meeting::Place& place : meeting_->places) from.push_back(place.messages[rank_]);
    meeting_->wait();
    return from;
  }

  void add(std::span<std::uint64_t> values) override {
    own().numbers.assign(values.begin(), values.end());
    meeting_->wait();
    std::ranges::fill(values, 0);
    for (const Meeting::Place& place : meeting_->places) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += place.numbers[i];
    }
    meeting_->wait();
  }

  void broadcast(std::span<std::byte> bytes, unsigned from) override {
    own().bytes.assign(bytes.begin(), bytes.end());
    meeting_->wait();
    if (rank_ != from) std::ranges::copy(meeting_->places[from].bytes, bytes.begin());
    meeting_->wait();
  }

  std::unique_ptr<World> split(unsigned group) override {
    own().group = group;
    meeting_->wait();
    const auto in_group = [&](const Meeting::Place& place) { return place.group == group; };
    auto& places = meeting_->places;
    const auto first = std::ranges::find_if(places, in_group);
    const auto rank = std::count_if(places.begin(), places.begin() + rank_, in_group);
    if (rank == 0) {
      own().new_meeting =
          std::make_shared<Meeting>(static_cast<unsigned>(std::ranges::count_if(places, in_group)));
      meeting_->add_part(own().new_meeting);
    }
    meeting_->wait();
    auto world = std::make_unique<ThreadWorld>(first->new_meeting, static_cast<unsigned>(rank));
    meeting_->wait();
    return world;
  }

 private:
  Meeting::Place& own() { return meeting_->own(rank_); }

  std::shared_ptr<Meeting> meeting_;
  unsigned rank_;
};

/// The exception that explains the others.
class FirstError {
 public:
  void keep(std::exception_ptr error, bool consequence) {
    const std::lock_guard lock(mutex_);
    if (error_ && (consequence || !consequence_)) return;
    error_ = std::move(error);
    consequence_ = consequence;
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  bool consequence_ = false;
};

}  // namespace

void run_on_threads(unsigned ranks, const std::function<void(World&)>& body) {
  const auto meeting = std::make_shared<Meeting>(ranks);
  FirstError error;
  const auto run = [&](unsigned rank) {
    ThreadWorld world(meeting, rank);
    try {
      body(world);
    } catch (const WorldBroken&) {
      error.keep(std::current_exception(), true);
    } catch (...) {
      error.keep(std::current_exception(), false);
      meeting->break_up();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned rank = 1; rank < ranks; ++rank) threads.emplace_back(run, rank);
    run(0);
  }
  error.rethrow();
}

}  // namespace firth
