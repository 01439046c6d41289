// What more threads, or more ranks, would gain: a real search with the CPU time of every piece of work that they could
// share, and from that the time that 4, 16, 64 and 256 of them would take.
//
//   firth_scaling COUNTS CLASSES                          threads of one process
//   firth_scaling COUNTS CLASSES RANKS THREADS [PASSES]   ranks, calculated from a run on RANKS of them (2 are enough);
//                                                         with PASSES, of that many greedy passes only
//
// Every parallel loop of the search goes through base::WorkerTeam::run(). This file has its own, which takes the place of
// the library's (a static one: an object file comes before an archive): it runs the pieces one after the other, with a
// clock around each. What happens between two loops is serial. Pieces go to the worker that is free first; every loop
// costs a fixed time to start and to end. Ranks are threads of this process, and each has its clock. They have dealt out the
// loops of Sweeper and Crew by predicted work, which is a little worse than what is calculated; all else every rank does itself.
#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "base/worker_team.hpp"
#include "cluster/exchange/search_context.hpp"
#include "cluster/exchange/search_program.hpp"
#include "firth/count.hpp"
#include "firth/world.hpp"

namespace {

constexpr std::array<std::size_t, 6> kWorkers = {1, 2, 4, 16, 64, 256};
bool on_ranks = false;                 // set once, before threads start
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
  // Of ranks:
  std::vector<std::vector<double>> dealt;   // pieces that were dealt out before each call of the world
  std::vector<std::vector<double>> shared;  // of each loop that only the threads of a rank share
  double own = 0;                           // what one thread of every rank does
  double calls = 0;
  double received = 0;
};

/// Each piece goes to the worker that is free first.
double makespan(const std::vector<double>& pieces, std::size_t workers) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (std::size_t i = 0; i < std::min(workers, pieces.size()); ++i) free_at.push(0);
  double end = 0;
  for (const double piece : pieces) {
    const double done = free_at.top() + piece;
    free_at.pop();
    free_at.push(done);
    end = std::max(end, done);
  }
  return end;
}

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
  void loop(const std::vector<double>& pieces, bool dealt) {
    if (dealt) {
      // Between two calls of the world, one rank may have more loops than another.
      stage_->dealt.resize(static_cast<std::size_t>(stage_->calls) + 1);
      stage_->dealt.back().insert(stage_->dealt.back().end(), pieces.begin(), pieces.end());
    } else {
      stage_->shared.push_back(pieces);
    }
    for (std::size_t i = 0; i < kWorkers.size(); ++i)
      stage_->seconds[i] += makespan(pieces, kWorkers[i]) + (kWorkers[i] > 1 ? kLoopSeconds : 0);
    last_ = now();
  }
  void call(std::size_t received) {
    ++stage_->calls;
    stage_->received += static_cast<double>(received);
    last_ = now();
  }
  const std::map<std::string, Times>& stages() const { return stages_; }

 private:
  void add_serial(double seconds) {
    stage_->serial += seconds;
    stage_->own += seconds;
    for (double& sum : stage_->seconds) sum += seconds;
  }
  std::map<std::string, Times> stages_;
  Times* stage_ = &stages_["other"];
  double last_ = now();
};
Recorder& recorder() {
  thread_local Recorder own;
  return own;
}

/// Whether a loop was dealt out among ranks: by the function that it is part of.
bool is_dealt(const char* body) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(body, nullptr, nullptr, &status),
                                                         &std::free);
  if (status != 0) return false;
  const std::string text(name.get());
  const auto in = [&](const char* part) { return text.find(part) != std::string::npos; };
  // Contexts of units that are cut are counted as if every rank needed all of them.
  return in("exchange::Sweeper::") || in("CutUnits::score") || in("base::Crew::");
}

/// Counts calls, and takes the time in them out of the clock.
class CountedWorld final : public firth::World {
 public:
  explicit CountedWorld(firth::World& world) : world_(world) {}
  unsigned rank() const noexcept override { return world_.rank(); }
  unsigned size() const noexcept override { return world_.size(); }
  void gather(std::span<std::byte> all, std::span<const std::size_t> begins) override {
    recorder().finish_serial();
    world_.gather(all, begins);
    recorder().call(all.size());
  }
  std::vector<std::vector<std::byte>> exchange(std::span<const std::vector<std::byte>> to) override {
    recorder().finish_serial();
    std::vector<std::vector<std::byte>> from = world_.exchange(to);
    std::size_t received = 0;
    for (const auto& message : from) received += message.size();
    recorder().call(received);
    return from;
  }
  void add(std::span<std::uint64_t> values) override {
    recorder().finish_serial();
    world_.add(values);
    recorder().call(values.size_bytes());
  }
  void broadcast(std::span<std::byte> bytes, unsigned from) override {
    recorder().finish_serial();
    world_.broadcast(bytes, from);
    recorder().call(bytes.size());
  }
  std::unique_ptr<firth::World> split(unsigned group) override { return world_.split(group); }

 private:
  firth::World& world_;
};

}  // namespace

namespace firth::base {

void WorkerTeam::run(std::size_t size, std::size_t grain, const Body& body) {
  recorder().finish_serial();
  constexpr std::size_t kSingly = 512;  // what was dealt out begins with units that go to ranks one by one
  const bool dealt = is_dealt(body.target_type().name());
  const bool timed = dealt || this->size() > 1;  // else nobody shares it, and the clock takes its time, too
  std::vector<double> pieces;
  double last = now();
  for (std::size_t begin = 0; begin < size;) {
    const std::size_t step = dealt && on_ranks && begin < kSingly ? 1 : std::max<std::size_t>(grain, 1);
    const std::size_t end = std::min(size, begin + step);
    body(0, begin, end);
    begin = end;
    if (!timed && end < size) continue;
    const double time = now();
    pieces.push_back(time - last);
    last = time;
  }
  recorder().loop(pieces, dealt);
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
  if (run.world == nullptr || run.world->rank() == 0) std::printf("AMI %.4f\n", result.ami_bits);
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
  sum.own += part.own;
  sum.calls += part.calls;
  sum.received += part.received;
  sum.dealt.insert(sum.dealt.end(), part.dealt.begin(), part.dealt.end());
  sum.shared.insert(sum.shared.end(), part.shared.begin(), part.shared.end());
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

struct Network {
  const char* name;
  double call_seconds;  // per step; a call of R ranks takes log2 R steps
  double byte_seconds;
};
constexpr std::array kNetworks = {Network{"no network", 0, 0},
                                  Network{"10 GbE (40 us, 1.1 GB/s)", 40e-6, 1 / 1.1e9},
                                  Network{"InfiniBand (2 us, 10 GB/s)", 2e-6, 1 / 1e10}};

using Stages = std::map<std::string, Times>;

/// What all ranks did between calls.
std::vector<std::vector<double>> joined(const std::vector<const Times*>& ranks) {
  std::vector<std::vector<double>> loops;
  for (const Times* rank : ranks) {
    loops.resize(std::max(loops.size(), rank->dealt.size()));
    for (std::size_t i = 0; i < rank->dealt.size(); ++i)
      loops[i].insert(loops[i].end(), rank->dealt[i].begin(), rank->dealt[i].end());
  }
  return loops;
}

/// Of a stage that ran on a few ranks.
struct RankTimes {
  std::vector<std::vector<double>> dealt;
  std::vector<std::vector<double>> shared;
  double own = 0;
  double calls = 0;
  double received = 0;

  explicit RankTimes(const std::vector<const Times*>& ranks)
      : dealt(joined(ranks)), shared(ranks.front()->shared), calls(ranks.front()->calls) {
    for (std::vector<double>& loop : dealt) std::ranges::sort(loop, std::greater<>());
    for (const Times* times : ranks) {
      own += times->own / static_cast<double>(ranks.size());
      received = std::max(received, times->received);
    }
  }

  double seconds(std::size_t ranks, std::size_t threads) const {
    double sum = own;
    for (const auto& loop : dealt) sum += makespan(loop, ranks * threads);
    for (const auto& loop : shared) sum += makespan(loop, threads) + (threads > 1 ? kLoopSeconds : 0);
    return sum;
  }
  double messages(const Network& network, std::size_t ranks) const {
    return calls * network.call_seconds * std::log2(ranks) + received * network.byte_seconds;
  }
};

constexpr std::array<std::size_t, 4> kRanks = {4, 16, 64, 256};

void print_rank_row(const std::string& name, const RankTimes& times, std::size_t threads) {
  const double alone = times.seconds(1, 1);
  double dealt = 0;
  for (const auto& loop : times.dealt) dealt += makespan(loop, 1);
  std::printf(
      "%s: %.3f CPU s, of which %.3f on every rank (%.2f %%), %.3f by one thread; %.0f calls, %.2f MB\n",
      name.c_str(), alone, alone - dealt, 100 * (alone - dealt) / alone, times.own, times.calls,
      times.received / 1e6);
  for (const Network& network : kNetworks) {
    std::printf("  %-28s", network.name);
    for (const std::size_t ranks : kRanks) {
      const double messages = times.messages(network, ranks);
      const double seconds = times.seconds(ranks, threads) + messages;
      std::printf(" %7.1f (%4.1f %%)", alone / seconds, 100 * messages / seconds);
    }
    std::printf("\n");
  }
}

void print_ranks(const std::vector<Stages>& ranks, const std::vector<std::size_t>& threads) {
  for (const std::size_t each : threads) {
    std::printf("speed-up with 4, 16, 64, 256 ranks; threads of a rank: %zu (share of the network)\n", each);
    std::vector<Times> passes(ranks.size());
    for (const auto& [name, first] : ranks.front()) {
      if (name == "end" || name == "other" || name == "start") continue;
      std::vector<const Times*> row;
      for (std::size_t r = 0; r < ranks.size(); ++r) {
        row.push_back(&ranks[r].at(name));
        if (name.ends_with("passes")) add(passes[r], *row.back());
      }
      print_rank_row(name, RankTimes(row), each);
    }
    std::vector<const Times*> row(passes.size());
    std::ranges::transform(passes, row.begin(), [](const Times& times) { return &times; });
    print_rank_row("all passes", RankTimes(row), each);
  }
}

/// As --method exchange; the first pass, in which every unit moves, has a row of its own.
void greedy_passes(const Counts& counts, ClassId classes, unsigned passes, const RunOptions& run) {
  const Constraints none;
  const SearchProblem problem(counts, {{none, false}, 0}, classes, 1, run);
  SearchContext context(problem, run);
  context.reseed(0);
  recorder().begin("start");
  State state = context.start(classes, context.modulo(classes));
  for (unsigned pass = 0; pass < passes; ++pass) {
    recorder().begin(pass == 0 ? "first pass" : "greedy passes");
    context.greedy_pass(state);
  }
  recorder().begin("end");
}

void run_ranks(const Counts& counts, ClassId classes, const std::array<unsigned, 3>& numbers) {
  const unsigned ranks = numbers[0];
  on_ranks = true;
  std::vector<Stages> stages(ranks);
  run_on_threads(ranks, [&, threads = numbers[1], passes = numbers[2]](World& world) {
    CountedWorld counted(world);
    RunOptions run{.threads = threads, .seed = 1};
    run.world = &counted;
    if (passes > 0) {
      greedy_passes(counts, classes, passes, run);
    } else {
      search(counts, classes, run);
    }
    stages[world.rank()] = recorder().stages();
  });
  // More threads share loops that are there with two of them.
  print_ranks(stages, numbers[1] == 1 ? std::vector<std::size_t>{1} : std::vector<std::size_t>{4, 16});
}

}  // namespace
}  // namespace firth::exchange

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5 && argc != 6) {
    std::fprintf(stderr, "usage: %s COUNTS CLASSES [RANKS THREADS [PASSES]]\n", argv[0]);
    return 2;
  }
  const auto number = [&](int i) { return i < argc ? static_cast<unsigned>(std::atoi(argv[i])) : 0U; };
  const firth::Counts counts = firth::load_counts(argv[1]);
  const firth::ClassId classes = number(2);
  if (argc > 3) {
    firth::exchange::run_ranks(counts, classes, {number(3), number(4), number(5)});
    return 0;
  }
  // Two threads: the search then cuts its work as it does for any number of them.
  const firth::RunOptions run{.threads = 2, .seed = 1};
  firth::exchange::search(counts, classes, run);
  firth::exchange::print_tables();
  return 0;
}
