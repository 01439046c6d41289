// Runs every seed through every fuzz target, whole and cut short, without libFuzzer: what the fuzzers have found stays
// found in the ordinary suite, with any compiler.
//
//   fuzz_replay SEEDS_FOLDER [TARGET]
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

// fuzz_targets.inc has one line per fuzz_NAME.cpp: FIRTH_FUZZ_TARGET(NAME).
#define FIRTH_FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef FIRTH_FUZZ_TARGET

namespace {

struct Target {
  const char* name;
  int (*run)(const std::uint8_t*, std::size_t);
};

#define FIRTH_FUZZ_TARGET(name) {#name, &fuzz_##name},
constexpr Target kTargets[] = {
#include "fuzz_targets.inc"
};
#undef FIRTH_FUZZ_TARGET

/// What is running, for the message of a crash. Written beforehand, since a signal handler may do very little.
std::array<char, 512> running = {};

void tell_and_die(int signal) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, running.data(), std::strlen(running.data()));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::vector<std::uint8_t> read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void run(const Target& target, const std::filesystem::path& seed, const std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t kParts = 8;
  for (std::size_t part = 0; part <= kParts; ++part) {
    // A copy of its own, so that the sanitizers see a read beyond its end.
    const std::vector<std::uint8_t> input(
        bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * part / kParts));
    std::snprintf(running.data(), running.size(), "fuzz_%s failed on the first %zu bytes of %s\n",
                  target.name, input.size(), seed.c_str());
    target.run(input.data(), input.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: fuzz_replay SEEDS_FOLDER [TARGET]\n", stderr);
    return 2;
  }
  std::signal(SIGABRT, tell_and_die);
  std::signal(SIGSEGV, tell_and_die);
  std::vector<std::filesystem::path> seeds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1]))
    if (entry.is_regular_file()) seeds.push_back(entry.path());
  std::sort(seeds.begin(), seeds.end());
  std::size_t runs = 0;
  for (const auto& seed : seeds) {
    const std::vector<std::uint8_t> bytes = read(seed);
    for (const Target& target : kTargets) {
      if (argc > 2 && std::string_view(argv[2]) != target.name) continue;
      run(target, seed, bytes);
      ++runs;
    }
  }
  std::printf("%zu seeds, %zu targets, %zu pairs\n", seeds.size(), std::size(kTargets), runs);
  return runs == 0 ? 1 : 0;
}
