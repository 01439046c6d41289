#include "fault_handler.hpp"

#include <csignal>
#include <firth/files.hpp>

namespace firth::python {
namespace {

struct sigaction bus_before {};
struct sigaction segment_before {};

void on_fault(int number, siginfo_t* info, void*) {
  [[maybe_unused]] const bool said = report_changed_file("firth", info->si_addr);
  // The fault happens again and takes its usual way; a signal that somebody sent is sent again.
  ::sigaction(number, number == SIGBUS ? &bus_before : &segment_before, nullptr);
  if (info->si_code <= 0) ::raise(number);
}

}  // namespace

void name_changed_files() noexcept {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;  // faulthandler sees to a stack of its own
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &bus_before);
  ::sigaction(SIGSEGV, &action, &segment_before);
}

}  // namespace firth::python
