// Long work, seen from Python: it runs on a thread of its own without the GIL, while the calling thread waits for
// signals, hands progress over, and reads Python's iterables.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <firth/run.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace firth::python {

namespace py = pybind11;

/// What every long call takes besides its own options.
struct RunArguments {
  unsigned threads = 0;
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = 0;
  std::string temp_folder = {};
  py::object progress = py::none();  ///< called with stage, unit, done, total, note
};

/// Data that Python produces while the work goes on. Python's code only ever runs on the thread that called: many of its
/// objects (database cursors, event loops) refuse others, and Ctrl-C reaches no other.
class Feed {
 public:
  virtual ~Feed() = default;

  /// Makes `wake` known, to be called when data are wanted.
  virtual void connect(std::function<void()> wake) = 0;
  [[nodiscard]] virtual bool wants_data() const = 0;
  /// Produces some data, not for long. The GIL is held.
  virtual void fill() = 0;
  /// The work will get no more data: whoever waits for them throws Cancelled.
  virtual void abort() = 0;
};

using Work = std::function<void(const RunOptions& run)>;

/// Does the work; `feed` may be nullptr. Throws what the work throws, or what Python threw meanwhile (KeyboardInterrupt,
/// errors of callbacks and iterables); the work has ended then.
void run_work(const RunArguments& arguments, Feed* feed, const Work& work);

/// The same for work with a result.
template <class Function>
auto run_result(const RunArguments& arguments, Feed* feed, const Function& function) {
  std::optional<decltype(function(std::declval<const RunOptions&>()))> result;
  run_work(arguments, feed, [&](const RunOptions& run) { result.emplace(function(run)); });
  return std::move(*result);
}

void bind_run(py::module_& module);

}  // namespace firth::python
