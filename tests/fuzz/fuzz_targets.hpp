// The fuzz targets in a program without libFuzzer, and what is told of a crash.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// fuzz_targets.inc has one line per fuzz_NAME.cpp: FIRTH_FUZZ_TARGET(NAME).
#define FIRTH_FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef FIRTH_FUZZ_TARGET

namespace firth::fuzz {

using Bytes = std::vector<std::uint8_t>;

struct Target {
  const char* name;
  int (*run)(const std::uint8_t*, std::size_t);
};

#define FIRTH_FUZZ_TARGET(name) {#name, &fuzz_##name},
inline constexpr Target kTargets[] = {
#include "fuzz_targets.inc"
};
#undef FIRTH_FUZZ_TARGET

/// What is running, for the message of a crash. Written beforehand, since a signal handler may do very little.
inline std::array<char, 512> running = {};
inline const Bytes* running_input = nullptr;

/// Says what was running, and keeps its input in the file fuzz-failure.
inline void tell_and_die(int signal) {
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, running.data(), std::strlen(running.data()));
  const int file = running_input == nullptr ? -1 : ::open("fuzz-failure", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0) written = ::write(file, running_input->data(), running_input->size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// SIGALRM: a run that takes too long.
inline void tell_of_crashes() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM}) std::signal(signal, tell_and_die);
}

inline Bytes read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace firth::fuzz
