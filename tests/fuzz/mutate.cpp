// Random changes of the seeds of every target, without libFuzzer and its coverage: far less thorough, but with any
// compiler, and fast.
//
//   fuzz_mutate SEEDS_FOLDER RUNS [TARGET]      RUNS inputs for each target; the numbers are always the same
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "base/rng.hpp"
#include "fuzz_targets.hpp"

namespace {

using namespace firth::fuzz;
using firth::base::Rng;

constexpr unsigned kMaxSeconds = 60;  // for one input
constexpr std::size_t kMaxBytes = 1 << 16;

/// What readers stumble over.
constexpr std::string_view kPieces[] = {"\n",
                                        "\t",
                                        " ",
                                        "\r\n",
                                        "\xff",
                                        "\xef\xbb\xbf",
                                        "0",
                                        "-1",
                                        "nan",
                                        "inf",
                                        "1e9",
                                        "\"",
                                        "{",
                                        "}",
                                        "(",
                                        ")",
                                        "[",
                                        "]",
                                        "<unk>",
                                        ",",
                                        "999999999999999999999",
                                        "18446744073709551615"};

std::size_t below(Rng& rng, std::size_t bound) {
  return bound == 0 ? 0 : static_cast<std::size_t>(rng.below(bound));
}

auto place(Bytes& bytes, std::size_t at) {
  return bytes.begin() + static_cast<std::ptrdiff_t>(at);
}

/// A part of some bytes, mostly short.
Bytes slice_of(const Bytes& bytes, Rng& rng) {
  const std::size_t begin = below(rng, bytes.size());
  const std::size_t size =
      below(rng, std::min<std::size_t>(bytes.size() - begin, 1ULL << below(rng, 10)) + 1);
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

void insert(Bytes& bytes, const Bytes& piece, Rng& rng) {
  bytes.insert(place(bytes, below(rng, bytes.size() + 1)), piece.begin(), piece.end());
}

void overwrite(Bytes& bytes, const Bytes& piece, Rng& rng) {
  const std::size_t at = below(rng, bytes.size());
  std::copy_n(piece.begin(), std::min(piece.size(), bytes.size() - at), place(bytes, at));
}

void change(Bytes& bytes, const Bytes& other, Rng& rng) {
  const std::size_t at = below(rng, bytes.size());
  const std::string_view piece = kPieces[below(rng, std::size(kPieces))];
  switch (bytes.empty() ? 7 : below(rng, 9)) {
    case 0:
      bytes[at] ^= static_cast<std::uint8_t>(1U << below(rng, 8));
      return;
    case 1:
      bytes[at] = static_cast<std::uint8_t>(below(rng, 256));
      return;
    case 2:
      bytes[at] = static_cast<std::uint8_t>(bytes[at] + below(rng, 9) - 4);
      return;
    case 3:
      bytes.erase(place(bytes, at), place(bytes, std::min(bytes.size(), at + 1 + below(rng, 32))));
      return;
    case 4:
      if (below(rng, 8) == 0) bytes.resize(at);
      return;
    case 5:
      return insert(bytes, slice_of(bytes, rng), rng);
    case 6:
      return overwrite(bytes, slice_of(bytes, rng), rng);
    case 7:
      return insert(bytes, {piece.begin(), piece.end()}, rng);
    default:
      return below(rng, 2) == 0 ? insert(bytes, slice_of(other, rng), rng)
                                : overwrite(bytes, slice_of(other, rng), rng);
  }
}

std::vector<Bytes> seeds_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> seeds;
  for (const auto& path : paths) seeds.push_back(read(path));
  return seeds;
}

void attack(const Target& target, const std::vector<Bytes>& seeds, std::uint64_t runs) {
  Rng rng(runs + std::string_view(target.name).size());
  Bytes input;
  running_input = &input;
  for (std::uint64_t i = 0; i < runs; ++i) {
    input = seeds[below(rng, seeds.size())];
    const Bytes& other = seeds[below(rng, seeds.size())];
    for (std::size_t changes = 1 + below(rng, 6); changes > 0; --changes) change(input, other, rng);
    if (input.size() > kMaxBytes) input.resize(kMaxBytes);
    input.shrink_to_fit();  // so that the sanitizers see a read beyond its end
    std::snprintf(running.data(), running.size(), "fuzz_%s failed on input %llu; it is in fuzz-failure\n",
                  target.name, static_cast<unsigned long long>(i));
    ::alarm(kMaxSeconds);
    target.run(input.data(), input.size());
  }
  ::alarm(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: fuzz_mutate SEEDS_FOLDER RUNS [TARGET]\n", stderr);
    return 2;
  }
  tell_of_crashes();
  const std::uint64_t runs = std::strtoull(argv[2], nullptr, 10);
  std::uint64_t total = 0;
  for (const Target& target : kTargets) {
    if (argc > 3 && std::string_view(argv[3]) != target.name) continue;
    const auto started = std::chrono::steady_clock::now();
    attack(target, seeds_of(std::filesystem::path(argv[1]) / target.name), runs);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    std::printf("%s: %llu inputs, %.1f s\n", target.name, static_cast<unsigned long long>(runs), seconds);
    std::fflush(stdout);
    total += runs;
  }
  std::printf("%llu inputs\n", static_cast<unsigned long long>(total));
  return total == 0 ? 1 : 0;
}
