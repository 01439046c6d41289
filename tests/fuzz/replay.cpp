// Runs every seed through every fuzz target, whole and cut short, without libFuzzer: what the fuzzers have found stays
// found in the ordinary suite, with any compiler.
//
//   fuzz_replay SEEDS_FOLDER [TARGET]
#include <algorithm>
#include <string_view>

#include "fuzz_targets.hpp"

namespace {

using namespace firth::fuzz;

void run(const Target& target, const std::filesystem::path& seed, const Bytes& bytes) {
  constexpr std::size_t kParts = 8;
  for (std::size_t part = 0; part <= kParts; ++part) {
    // A copy of its own, so that the sanitizers see a read beyond its end.
    const Bytes input(bytes.begin(),
                      bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * part / kParts));
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
  tell_of_crashes();
  std::vector<std::filesystem::path> seeds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1]))
    if (entry.is_regular_file()) seeds.push_back(entry.path());
  std::sort(seeds.begin(), seeds.end());
  std::size_t runs = 0;
  for (const auto& seed : seeds) {
    const Bytes bytes = read(seed);
    for (const Target& target : kTargets) {
      if (argc > 2 && std::string_view(argv[2]) != target.name) continue;
      run(target, seed, bytes);
      ++runs;
    }
  }
  std::printf("%zu seeds, %zu targets, %zu pairs\n", seeds.size(), std::size(kTargets), runs);
  return runs == 0 ? 1 : 0;
}
