// Runs one command after the other, each in a copy of this process: starting a program with sanitizers takes longer than
// most commands of a campaign do.
//
//   command_server < REQUESTS
// A request is a line: a folder to work in, a file for standard output, a file for standard error, seconds, and the words
// of the command, with the byte 0x1f between them. The answer is a line with the exit code; -N means signal N.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "program.hpp"

namespace {

constexpr char kBetween = '\x1f';
constexpr int kCouldNotStart = 127;
// A process that waits for others, or is stopped for a while, does not hang.
constexpr unsigned kPatience = 20;

using Words = std::vector<std::string>;

Words split(const std::string& line) {
  Words words(1);
  for (const char c : line) {
    if (c == kBetween)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

bool redirect(int stream, const char* path, int flags) {
  const int file = ::open(path, flags, 0600);
  return file >= 0 && ::dup2(file, stream) == stream && ::close(file) == 0;
}

struct Request {
  std::string folder, output, errors;
  unsigned seconds = 0;
  Words words;
};

Request request_of(const std::string& line) {
  constexpr std::size_t kFixed = 4;
  Words fields = split(line);
  if (fields.size() <= kFixed) return {};
  const auto seconds = static_cast<unsigned>(std::strtoul(fields[3].c_str(), nullptr, 10));
  return {fields[0], fields[1], fields[2], seconds, {fields.begin() + kFixed, fields.end()}};
}

/// In the copy. Ends with exit(), so that a sanitizer can look for leaks.
[[noreturn]] void run(const Request& request) {
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  const bool ready = ::chdir(request.folder.c_str()) == 0 && redirect(STDIN_FILENO, "/dev/null", O_RDONLY) &&
                     redirect(STDOUT_FILENO, request.output.c_str(), kWrite) &&
                     redirect(STDERR_FILENO, request.errors.c_str(), kWrite);
  if (!ready) ::_exit(kCouldNotStart);
  const rlimit processor = {request.seconds, request.seconds + 1};
  ::setrlimit(RLIMIT_CPU, &processor);
  ::alarm(kPatience * request.seconds);
  std::exit(firth::cli::start(request.words, {}));
}

int outcome_of(const Request& request) {
  const pid_t child = ::fork();
  if (child < 0) return kCouldNotStart;
  if (child == 0) run(request);
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return kCouldNotStart;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const Request request = request_of(line);
    std::cout << (request.words.empty() ? kCouldNotStart : outcome_of(request)) << std::endl;
  }
}
