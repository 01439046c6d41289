// Loaded before the command (LD_PRELOAD), counts calls of one kind and stops the run at one of them.
//
//   FIRTH_FAULT_CALLS=files|memory|threads  what is counted: calls that change files (if nothing is said), operator new, threads
//                           that are started
//   FIRTH_FAULT_AT=N        the N-th call, from 1; 0 = only count
//   FIRTH_FAULT=kill|fail   the process dies before the call, or the call fails as on a full disk, without memory, without
//                           threads
//   FIRTH_FAULT_LOG=FILE    gets a line with the name of every call
//   FIRTH_FAULT_CLOCK=N     the steady clock runs N times as fast, so that checkpoints are due at once
//   FIRTH_FAULT_OWN=1       only calls of Firth's own code are counted, and not those of libraries such as MPI's
//   FIRTH_FAULT_WITHOUT=... names separated by commas: tmpfile, exchange, proc, link, flock are not to be had
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

constexpr long kSecond = 1'000'000'000;
std::atomic<long> calls{0};

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool without(const char* what) {
  const char* const list = std::getenv("FIRTH_FAULT_WITHOUT");
  return list != nullptr && std::strstr(list, what) != nullptr;
}

void log_call(const char* name) {
  static const char* const path = std::getenv("FIRTH_FAULT_LOG");
  if (path == nullptr) return;
  static const auto open_file = real<int (*)(const char*, int, ...)>("open");
  static const auto write_file = real<ssize_t (*)(int, const void*, size_t)>("write");
  static const int log = open_file(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  char line[32];
  const int size = std::snprintf(line, sizeof line, "%s\n", name);
  [[maybe_unused]] const ssize_t written = write_file(log, line, static_cast<size_t>(size));
}

/// Whether the code at this address is Firth's: that of the command, or of the shared library.
bool is_own(const void* address) {
  static const char* const only_own = std::getenv("FIRTH_FAULT_OWN");
  if (only_own == nullptr) return true;
  Dl_info code{};
  if (dladdr(address, &code) == 0 || code.dli_fname == nullptr) return false;
  const char* const slash = std::strrchr(code.dli_fname, '/');
  const char* const file = slash == nullptr ? code.dli_fname : slash + 1;
  return std::strncmp(file, "firth", 5) == 0 || std::strncmp(file, "libfirth", 8) == 0;
}

/// Whether calls of this kind are counted.
bool counts(const char* kind) {
  static const char* const chosen = std::getenv("FIRTH_FAULT_CALLS");
  return std::strcmp(chosen == nullptr ? "files" : chosen, kind) == 0;
}

/// True if this call, which goes back to `caller`, is to fail; errno is set.
bool fails(const char* name, const void* caller, const char* kind = "files") {
  const int before = errno;
  if (!counts(kind) || !is_own(caller)) {
    errno = before;
    return false;
  }
  log_call(name);
  const char* const at = std::getenv("FIRTH_FAULT_AT");
  const char* const fault = std::getenv("FIRTH_FAULT");
  const long number = ++calls;
  errno = before;
  if (at == nullptr || fault == nullptr || number != std::atol(at)) return false;
  if (std::strcmp(fault, "kill") == 0) {
    raise(SIGKILL);
    pause();
  }
  errno = ENOSPC;
  return true;
}

/// Terminals and pipes are not files.
bool is_file(int descriptor) {
  struct stat status {};
  return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_proc(const char* path) {
  return without("proc") && std::strncmp(path, "/proc/", 6) == 0;
}

/// What is allocated before belongs to the system.
std::atomic<bool> main_has_begun = false;
int (*main_of_command)(int, char**, char**) = nullptr;

int begin_main(int argc, char** argv, char** environment) {
  main_has_begun = true;
  return main_of_command(argc, argv, environment);
}

}  // namespace

void* operator new(std::size_t size) {
  if (main_has_begun && fails("new", __builtin_return_address(0), "memory")) throw std::bad_alloc();
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*end)(), void* stack) {
  static const auto next = real<decltype(&__libc_start_main)>("__libc_start_main");
  main_of_command = main;
  return next(begin_main, argc, argv, init, fini, end, stack);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) noexcept {
  static const auto next = real<decltype(&pthread_create)>("pthread_create");
  return fails("thread", __builtin_return_address(0), "threads") ? EAGAIN
                                                                 : next(thread, attributes, run, argument);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  return is_file(descriptor) && fails("write", __builtin_return_address(0)) ? -1
                                                                            : next(descriptor, bytes, size);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
  return is_file(descriptor) && fails("pwrite", __builtin_return_address(0))
             ? -1
             : next(descriptor, bytes, size, offset);
}

int fsync(int descriptor) {
  static const auto next = real<int (*)(int)>("fsync");
  return fails("fsync", __builtin_return_address(0)) ? -1 : next(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  return fails("rename", __builtin_return_address(0)) ? -1 : next(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  static const auto next = real<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  if (without("exchange")) {
    errno = EINVAL;
    return -1;
  }
  return fails("renameat2", __builtin_return_address(0)) ? -1 : next(from_folder, from, to_folder, to, flags);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  static const auto next = real<int (*)(int, const char*, int, const char*, int)>("linkat");
  if (is_proc(from) || without("link")) {
    errno = is_proc(from) ? ENOENT : EPERM;
    return -1;
  }
  return fails("linkat", __builtin_return_address(0)) ? -1 : next(from_folder, from, to_folder, to, flags);
}

int unlink(const char* path) noexcept {
  static const auto next = real<int (*)(const char*)>("unlink");
  return fails("unlink", __builtin_return_address(0)) ? -1 : next(path);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static const auto next = real<int (*)(int, const char*, int)>("unlinkat");
  return fails("unlinkat", __builtin_return_address(0)) ? -1 : next(folder, path, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto next = real<int (*)(const char*, mode_t)>("mkdir");
  return fails("mkdir", __builtin_return_address(0)) ? -1 : next(path, mode);
}

int rmdir(const char* path) noexcept {
  static const auto next = real<int (*)(const char*)>("rmdir");
  return fails("rmdir", __builtin_return_address(0)) ? -1 : next(path);
}

int access(const char* path, int mode) noexcept {
  static const auto next = real<int (*)(const char*, int)>("access");
  if (!is_proc(path)) return next(path, mode);
  errno = ENOENT;
  return -1;
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const auto next = real<int (*)(clockid_t, timespec*)>("clock_gettime");
  static const char* const factor = std::getenv("FIRTH_FAULT_CLOCK");
  const int result = next(clock, time);
  if (factor == nullptr || clock != CLOCK_MONOTONIC) return result;
  static const timespec start = *time;
  const long passed = (time->tv_sec - start.tv_sec) * kSecond + time->tv_nsec - start.tv_nsec;
  const long faster = start.tv_nsec + passed * std::atol(factor);
  time->tv_sec = start.tv_sec + faster / kSecond;
  time->tv_nsec = faster % kSecond;
  return result;
}

int flock(int descriptor, int operation) noexcept {
  static const auto next = real<int (*)(int, int)>("flock");
  if (!without("flock")) return next(descriptor, operation);
  errno = ENOLCK;
  return -1;
}

int open(const char* path, int flags, ...) {
  static const auto next = real<int (*)(const char*, int, ...)>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if ((flags & O_TMPFILE) == O_TMPFILE && without("tmpfile")) {
    const char* const number = std::getenv("FIRTH_FAULT_ERRNO");
    errno = number == nullptr ? EOPNOTSUPP : std::atoi(number);
    return -1;
  }
  const bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return makes && fails("open", __builtin_return_address(0)) ? -1 : next(path, flags, mode);
}

}  // extern "C"
