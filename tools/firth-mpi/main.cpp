// The command firth-mpi: the commands of firth, shared by the ranks of an MPI job.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <firth/build_info.hpp>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "mpi_world.hpp"
#include "program.hpp"

namespace firth::mpi {
namespace {

using Words = std::vector<std::string>;
using Milliseconds = std::chrono::milliseconds;

constexpr int kInterrupted = 130;
constexpr int kUsage = 2;

/// When all ranks fail for the same reason, rank 0 says so and ends the others before they repeat it.
constexpr auto kTimeForRank0 = std::chrono::milliseconds(1500);
/// After an interruption, rank 0 ends all of them with the right code.
constexpr auto kTimeAfterInterrupt = std::chrono::milliseconds(5000);

void wait_for_rank0(int code) {
  std::this_thread::sleep_for(code == kInterrupted ? kTimeAfterInterrupt : kTimeForRank0);
}

/// What only firth-mpi has, in front of the command.
struct Options {
  double timeout_seconds = 300;
  std::string report_file = {};
  bool shard_lists = false;
};

constexpr const char* kOptionHelp =
    "firth-mpi [--rank-timeout SECONDS] [--rank-report FILE] [--shard-lists] COMMAND ...\n"
    "  --rank-timeout SECONDS  end the job when a rank has not been heard of for so long; 0 = never [300]\n"
    "  --rank-report FILE      write the processor time, the messages and the memory of every rank\n"
    "  --shard-lists           cluster --method auto, exchange: every rank holds a part of the neighbour lists only;\n"
    "                          less memory per rank, more time\n"
    "  COMMAND ...             as for firth: count, lm count, embed, cluster --method auto, exchange or spectral on\n"
    "                          any number of ranks, every other command on one\n";

/// Takes the options out of `words`; false if one of them is wrong.
bool take_options(Words& words, Options& options) {
  for (;;) {
    if (!words.empty() && words[0] == "--shard-lists") {
      options.shard_lists = true;
      words.erase(words.begin());
      continue;
    }
    if (words.empty() || (words[0] != "--rank-timeout" && words[0] != "--rank-report")) return true;
    if (words.size() < 2) return false;
    if (words[0] == "--rank-report") {
      options.report_file = words[1];
    } else {
      char* end = nullptr;
      options.timeout_seconds = std::strtod(words[1].c_str(), &end);
      const bool number = !words[1].empty() && *end == '\0' && std::isfinite(options.timeout_seconds);
      if (!number || options.timeout_seconds < 0) return false;
    }
    words.erase(words.begin(), words.begin() + 2);
  }
}

std::string joined(const Words& words) {
  const BuildInfo build = build_info();
  std::string text = build.version + '\0' + build.compiler + '\0' + build.features;
  for (const std::string& word : words) text += '\0' + word;
  return text;
}

/// Whether all ranks run the same build with the same words.
bool agree(World& world, const Words& words) {
  const std::string own = joined(words);
  std::uint64_t size = own.size();
  world.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  std::string first = own;
  first.resize(size);
  world.broadcast(std::as_writable_bytes(std::span(first)), 0);
  std::uint64_t different = own == first ? 0 : 1;
  world.add(std::span(&different, 1));
  return different == 0;
}

void say(const World& world, const std::string& text) {
  if (world.rank() == 0) std::fputs(("firth-mpi: " + text + "\n").c_str(), stderr);
}

/// A line for each rank: numbers for bench/mpi_model.py.
bool write_reports(const std::string& path, const std::vector<RankReport>& reports) {
  std::ofstream file(path);
  file << "rank\twork_seconds\tcall_seconds\tcalls\treceived_bytes\tpeak_memory\n";
  for (std::size_t r = 0; r < reports.size(); ++r) {
    file << fmt::format("{}\t{:.3f}\t{:.3f}\t{}\t{}\t{}\n", r, reports[r].work_seconds,
                        reports[r].call_seconds, reports[r].calls, reports[r].received_bytes,
                        reports[r].peak_memory);
  }
  return file.flush().good();
}

int run_command(Session& session, const Words& words, const Options& options) {
  World& world = session.world();
  const bool several = world.size() > 1;
  if (several && options.timeout_seconds > 0 &&
      !session.watch_ranks(Milliseconds(static_cast<std::int64_t>(options.timeout_seconds * 1000)))) {
    say(world, "warning: this MPI library lets one thread talk only, so lost ranks are not noticed");
  }
  cli::Program program{"firth-mpi", &world, several ? session.place() : "", {}};
  if (world.rank() != 0) program.before_error = wait_for_rank0;
  const int code = cli::start(words, std::move(program));
  if (code != 0 || options.report_file.empty()) return code;
  const std::vector<RankReport> reports = session.reports();
  if (world.rank() != 0 || write_reports(options.report_file, reports)) return 0;
  say(world, "error: cannot write " + options.report_file);
  return 1;
}

/// Rank 0 says what is wrong; the others give it time to, since the first that ends ends all.
int refuse(const World& world, const std::string& problem) {
  say(world, "error: " + problem);
  if (world.rank() != 0) wait_for_rank0(kUsage);
  return kUsage;
}

int run(Session& session, Words words) {
  World& world = session.world();
  if (!agree(world, words))
    return refuse(world, "the ranks run different builds of firth-mpi, or different commands");
  Options options;
  if (!take_options(words, options)) {
    return refuse(world, fmt::format("--rank-timeout needs a number of seconds, --rank-report a file\n{}",
                                     kOptionHelp));
  }
  if (words.empty()) return refuse(world, fmt::format("which command?\n{}", kOptionHelp));
  if (options.shard_lists && words[0] != "cluster")
    return refuse(world, "--shard-lists is for 'cluster' alone; leave it out");
  world.shard_lists(options.shard_lists);
  if (!session.launched()) {
    say(world,
        "warning: no launcher has started this process, so it is the only rank and does what firth does; 'mpirun -n 4 "
        "firth-mpi ...', or with Slurm 'srun -n 4 firth-mpi ...', starts four ranks");
  }
  return run_command(session, words, options);
}

}  // namespace
}  // namespace firth::mpi

int main(int argc, char** argv) {
  firth::mpi::Session session(&argc, &argv);
  const char* limit = std::getenv("FIRTH_MPI_MAX_MESSAGE");  // for tests
  if (limit != nullptr) firth::mpi::set_max_message(std::strtoul(limit, nullptr, 10));
  const int code = firth::mpi::run(session, std::vector<std::string>(argv + 1, argv + argc));
  if (code != 0 && session.world().size() > 1) firth::mpi::Session::abort(code);
  return code;
}
