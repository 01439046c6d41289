#include "fault_handler.hpp"

#include <unistd.h>

#include <csignal>
#include <firth/files.hpp>

#include "exit_code.hpp"

namespace firth::cli {
namespace {

struct sigaction old_bus {};
struct sigaction old_segment {};

void on_fault(int number, siginfo_t* info, void*) {
  if (report_changed_file("firth", info->si_addr)) ::_exit(kBadData);
  // Not ours: the fault happens again and takes its usual way.
  ::sigaction(number, number == SIGBUS ? &old_bus : &old_segment, nullptr);
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
