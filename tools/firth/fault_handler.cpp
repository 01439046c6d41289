#include "fault_handler.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>
#include <firth/files.hpp>

#include "exit_code.hpp"

namespace firth::cli {
namespace {

struct sigaction old_bus {};
struct sigaction old_segment {};

void put(const char* text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

/// Names come from the user; what could move the cursor does not go to the terminal.
void put_name(const char* name) {
  for (; *name != '\0'; ++name) {
    const bool control = static_cast<unsigned char>(*name) < 0x20 || *name == 0x7f;
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, control ? "?" : name, 1);
  }
}

void on_fault(int number, siginfo_t* info, void*) {
  const char* const file = changed_mapped_file(info->si_addr);
  if (file == nullptr) {
    // Not ours: the fault happens again and takes its usual way.
    ::sigaction(number, number == SIGBUS ? &old_bus : &old_segment, nullptr);
    return;
  }
  put("\nfirth: error: ");
  put_name(file);
  put(": the file changed while it was read; run again when nobody writes to it\n");
  ::_exit(kBadData);
}

}  // namespace

void handle_faults() noexcept {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &old_bus);
  ::sigaction(SIGSEGV, &action, &old_segment);
}

}  // namespace firth::cli
