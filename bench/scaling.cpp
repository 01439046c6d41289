// What more threads would gain: a real search on one thread, with the CPU time of every piece of work that threads
// could share, and from that the time that 4, 16, 64 and 256 workers would take.
//
//   firth_scaling COUNTS CLASSES
//
// Every parallel loop of the search goes through base::WorkerTeam::run(). This file has its own, which takes the place of
// the library's (a static one: an object file comes before an archive): it runs the pieces one after the other, with a
// clock around each. What happens between two loops is serial. Pieces go to the worker that is free first, as they do in a
// real run; every loop costs a fixed time to start and to end.
#include <ctime>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "base/worker_team.hpp"
#include "cluster/exchange/search_context.hpp"
#include "cluster/exchange/search_program.hpp"
#include "firth/count.hpp"

namespace {

constexpr std::array<std::size_t, 6> kWorkers = {1, 2, 4, 16, 64, 256};
constexpr double kLoopSeconds = 3e-6;  // to start a loop on a team that is awake, and to wait for its end

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Times of one kind of work, by number of workers.
struct Times {
  std::array<double, kWorkers.size()> seconds = {};
  double serial = 0;
};

class Recorder {
 public:
  void begin(const std::string& stage) {
    finish_serial();
    stage_ = &stages_[stage];
  }
  void finish_serial() {
    const double time = now();
    add_serial(time - last_);
    last_ = time;
  }
  void loop(const std::vector<double>& pieces) {
    for (std::size_t i = 0; i < kWorkers.size(); ++i) stage_->seconds[i] += makespan(pieces, kWorkers[i]);
    last_ = now();
  }
  const std::map<std::string, Times>& stages() const { return stages_; }

 private:
  void add_serial(double seconds) {
    stage_->serial += seconds;
    for (double& sum : stage_->seconds) sum += seconds;
  }
  static double makespan(const std::vector<double>& pieces, std::size_t workers) {
    std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
    for (std::size_t i = 0; i < std::min(workers, pieces.size()); ++i) free_at.push(0);
    double end = 0;
    for (const double piece : pieces) {
      const double done = free_at.top() + piece;
      free_at.pop();
      free_at.push(done);
      end = std::max(end, done);
    }
    return end + (workers > 1 ? kLoopSeconds : 0);
  }

  std::map<std::string, Times> stages_;
  Times* stage_ = &stages_["other"];
  double last_ = now();
};

Recorder& recorder() {
  static Recorder one;
  return one;
}

}  // namespace

namespace firth::base {

void WorkerTeam::run(std::size_t size, std::size_t grain, const Body& body) {
  recorder().finish_serial();
  const std::size_t step = std::max<std::size_t>(grain, 1);
  std::vector<double> pieces;
  double last = now();
  for (std::size_t begin = 0; begin < size; begin += step) {
    body(0, begin, std::min(size, begin + step));
    const double time = now();
    pieces.push_back(time - last);
    last = time;
  }
  recorder().loop(pieces);
}

}  // namespace firth::base

namespace firth::exchange {
namespace {

/// The steps of a fast search, as auto_search.cpp runs them.
void search(const Counts& counts, ClassId classes, const RunOptions& run) {
  const Constraints none;
  const SearchProblem problem(counts, {{none, false}, 0}, classes, max_class_ratio(), run);
  SearchContext context(problem, run);
  context.reseed(0);
  const auto times = [&](double ratio) { return context.capped(std::max(ratio, 1.0) * classes); };
  std::optional<State> state;
  const SearchPlan plan = plan_for(SearchEffort::fast);
  for (const SearchStep& step : plan.front().steps) {
    if (step.kind == StepKind::start) {
      recorder().begin("start");
      state = context.start(times(step.value), context.modulo(times(step.value)));
    } else if (step.kind == StepKind::merge) {
      recorder().begin("merges");
      state = context.merged(std::move(*state), times(step.value));
    } else if (step.kind == StepKind::greedy) {
      recorder().begin("greedy passes");
      context.greedy_pass(*state);
    } else if (step.kind == StepKind::heat) {
      recorder().begin("heat-bath passes");
      context.heat_pass(*state, step.value);
    }
  }
  recorder().begin("tree");
  const ClusterResult result = context.finish(*state, true, run);
  recorder().begin("end");
  std::printf("AMI %.4f\n", result.ami_bits);
}

void print_row(const std::string& name, const Times& times) {
  std::printf("%-18s %9.2f %7.2f%%", name.c_str(), times.seconds[0], 100 * times.serial / times.seconds[0]);
  for (std::size_t i = 1; i < kWorkers.size(); ++i)
    std::printf(" %7.1f", times.seconds[0] / times.seconds[i]);
  std::printf("\n");
}

void add(Times& sum, const Times& part) {
  for (std::size_t i = 0; i < kWorkers.size(); ++i) sum.seconds[i] += part.seconds[i];
  sum.serial += part.serial;
}

void print_tables() {
  std::printf("%-18s %9s %8s %s\n", "stage", "CPU s", "serial", "speed-up with 2, 4, 16, 64, 256 workers");
  Times passes;
  Times all;
  for (const auto& [name, times] : recorder().stages()) {
    if (name == "end" || name == "other") continue;
    print_row(name, times);
    if (name.ends_with("passes")) add(passes, times);
    add(all, times);
  }
  print_row("all passes", passes);
  print_row("whole search", all);
}

}  // namespace
}  // namespace firth::exchange

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s COUNTS CLASSES\n", argv[0]);
    return 2;
  }
  // Two threads: the search then cuts its work as it does for any number of them.
  const firth::RunOptions run{.threads = 2, .seed = 1};
  firth::exchange::search(firth::load_counts(argv[1]), static_cast<firth::ClassId>(std::atoi(argv[2])), run);
  firth::exchange::print_tables();
  return 0;
}
