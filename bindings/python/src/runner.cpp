#include "runner.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "strings.hpp"

namespace firth::python {
namespace {

/// Between two looks at signals and progress.
constexpr auto kTick = std::chrono::milliseconds(50);

/// One call of the progress callback.
struct Snapshot {
  std::string stage = {};
  std::string unit = {};
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  std::string note = {};
};

/// Keeps what the work reports until the calling thread takes it: at least one snapshot per stage, and the latest one.
class Mailbox : public ProgressSink {
 public:
  void begin(std::string_view stage, std::string_view unit, std::uint64_t total) override {
    const std::scoped_lock lock(mutex_);
    current_ = {
        .stage = std::string(stage), .unit = std::string(unit), .done = 0, .total = total, .note = {}};
    pending_.push_back(current_);
    is_pending_ = true;
  }

  void advance(std::uint64_t done, std::string_view note) override {
    const std::scoped_lock lock(mutex_);
    current_.done = done;
    current_.note = note;
    if (is_pending_) {
      pending_.back() = current_;
    } else {
      pending_.push_back(current_);
      is_pending_ = true;
    }
  }

  void end() override {}

  void warn(std::string_view message) override {
    const std::scoped_lock lock(mutex_);
    warnings_.emplace_back(message);
  }

  /// Hands everything to Python. The GIL is held.
  void deliver(const py::object& callback) {
    std::vector<Snapshot> snapshots;
    std::vector<std::string> warnings;
    {
      const std::scoped_lock lock(mutex_);
      snapshots.swap(pending_);
      warnings.swap(warnings_);
      is_pending_ = false;
    }
    for (const std::string& warning : warnings) {
      py::module_::import("firth._errors").attr("warn")(to_str(warning));
    }
    if (callback.is_none()) return;
    for (const Snapshot& at : snapshots) {
      callback(to_str(at.stage), to_str(at.unit), at.done, at.total, to_str(at.note));
    }
  }

 private:
  std::mutex mutex_;
  Snapshot current_;
  bool is_pending_ = false;  ///< the last of pending_ is current_
  std::vector<Snapshot> pending_;
  std::vector<std::string> warnings_;
};

/// One piece of work and its thread.
class Job {
 public:
  Job(const RunArguments& arguments, Feed* feed) : arguments_(arguments), feed_(feed) {
    if (feed_ != nullptr) feed_->connect([this] { wake(); });
  }

  ~Job() {
    if (feed_ != nullptr) feed_->connect({});
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void run(const Work& work) {
    const RunOptions options = {.threads = arguments_.threads,
                                .seed = arguments_.seed,
                                .memory_bytes = arguments_.memory_bytes,
                                .temp_folder = arguments_.temp_folder,
                                .progress = &mailbox_,
                                .stop = stop_.get_token()};
    {
      const py::gil_scoped_release release;
      const std::jthread worker([&] { do_work(work, options); });
      attend();
    }
    if (python_error_) std::rethrow_exception(python_error_);
    mailbox_.deliver(arguments_.progress);
    if (work_error_) std::rethrow_exception(work_error_);
  }

 private:
  void wake() {
    const std::scoped_lock lock(mutex_);
    changed_.notify_one();
  }

  void do_work(const Work& work, const RunOptions& options) {
    try {
      work(options);
    } catch (...) {
      work_error_ = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    finished_ = true;
    changed_.notify_one();
  }

  [[nodiscard]] bool is_feeding() const { return feed_ != nullptr && !python_error_ && feed_->wants_data(); }

  /// Until the work has ended. Without the GIL.
  void attend() {
    auto next_tick = std::chrono::steady_clock::now() + kTick;
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait_until(lock, next_tick, [this] { return finished_ || is_feeding(); });
      if (finished_) return;
      const bool feeding = is_feeding();
      const bool ticking = std::chrono::steady_clock::now() >= next_tick;
      lock.unlock();
      if (!python_error_) serve(feeding, ticking);
      if (ticking) next_tick = std::chrono::steady_clock::now() + kTick;
      lock.lock();
    }
  }

  /// What has to be done in Python.
  void serve(bool feeding, bool ticking) {
    const py::gil_scoped_acquire acquire;
    try {
      if (feeding) feed_->fill();
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (ticking) mailbox_.deliver(arguments_.progress);
    } catch (...) {
      python_error_ = std::current_exception();
      stop_.request_stop();
      if (feed_ != nullptr) feed_->abort();
    }
  }

  const RunArguments& arguments_;
  Feed* feed_;
  Mailbox mailbox_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool finished_ = false;
  std::exception_ptr work_error_;    ///< read after the work has ended
  std::exception_ptr python_error_;  ///< of the calling thread alone
};

}  // namespace

void run_work(const RunArguments& arguments, Feed* feed, const Work& work) {
  Job(arguments, feed).run(work);
}

void bind_run(py::module_& module) {
  py::class_<RunArguments>(module, "Run", "Threads, random seed, memory and progress of one call.")
      .def(py::init([](unsigned threads, std::uint64_t seed, std::uint64_t memory,
                       const py::object& temp_folder, py::object progress) {
             return RunArguments{.threads = threads,
                                 .seed = seed,
                                 .memory_bytes = memory,
                                 .temp_folder = temp_folder.is_none() ? "" : from_path(temp_folder),
                                 .progress = std::move(progress)};
           }),
           py::arg("threads") = 0, py::arg("seed") = 1, py::arg("memory") = 0,
           py::arg("temp_folder") = py::none(), py::arg("progress") = py::none());
}

}  // namespace firth::python
