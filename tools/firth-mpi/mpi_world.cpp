#include "mpi_world.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <firth/error.hpp>
#include <limits>
#include <mutex>
#include <span>
#include <stop_token>
#include <string_view>
#include <thread>
#include <vector>

#include "launcher_pipe.hpp"

namespace firth::mpi {
namespace {

constexpr std::size_t kMaxMessage = std::size_t{1} << 30;  // an int has room for twice as much
constexpr int kTag = 1;
void* const kInPlace = MPI_IN_PLACE;  // NOLINT(performance-no-int-to-ptr): a number in MPICH

std::size_t max_message = kMaxMessage;

/// Errors end the job inside MPI (MPI_ERRORS_ARE_FATAL); this is for libraries that return all the same.
void check(int result) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  throw WorldError(std::string_view(text.data(), static_cast<std::size_t>(length)));
}

/// Waits until all requests are done. MPI libraries wait by looking again and again, some without ever giving way: where
/// there are more ranks than cores, the ranks that are waited for do not get on. Here a short wait looks, a longer one
/// gives way, and a long one sleeps.
void wait_for(std::span<MPI_Request> requests) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kLook = std::chrono::microseconds(50);
  constexpr auto kGiveWay = std::chrono::milliseconds(2);
  constexpr auto kSleep = std::chrono::microseconds(100);
  const auto begin = Clock::now();
  for (;;) {
    int done = 0;
    check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE));
    if (done != 0) return;
    const auto waited = Clock::now() - begin;
    if (waited > kGiveWay) {
      std::this_thread::sleep_for(kSleep);
    } else if (waited > kLook) {
      std::this_thread::yield();
    }
  }
}

void wait_for(MPI_Request& request) {
  wait_for(std::span(&request, 1));
}

int as_int(std::size_t size) {
  return static_cast<int>(size);
}

/// Calls use(begin, length) for pieces of at most max_message bytes.
template <typename Use>
void in_pieces(std::size_t size, const Use& use) {
  for (std::size_t begin = 0; begin < size; begin += max_message) {
    use(begin, std::min(max_message, size - begin));
  }
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

RankReport total;  // of this rank

/// One call of a world, for the report.
class Call {
 public:
  explicit Call(std::size_t received) { total.received_bytes += received; }
  ~Call() {
    ++total.calls;
    total.call_seconds += processor_seconds() - begin_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  double begin_ = processor_seconds();
};

/// A communicator as a world.
class MpiWorld final : public World {
 public:
  explicit MpiWorld(MPI_Comm comm) : comm_(comm) {
    int rank = 0;
    int size = 0;
    check(MPI_Comm_rank(comm_, &rank));
    check(MPI_Comm_size(comm_, &size));
    rank_ = static_cast<unsigned>(rank);
    size_ = static_cast<unsigned>(size);
  }
  ~MpiWorld() override { MPI_Comm_free(&comm_); }

  unsigned rank() const noexcept override { return rank_; }
  unsigned size() const noexcept override { return size_; }

  void gather(std::span<std::byte> all, std::span<const std::size_t> begins) override {
    const Call call(all.size() - (begins[rank_ + 1] - begins[rank_]));
    if (all.size() > max_message) {
      for (unsigned r = 0; r < size_; ++r) send_all(all.subspan(begins[r], begins[r + 1] - begins[r]), r);
      return;
    }
    std::vector<int> sizes(size_);
    std::vector<int> places(size_);
    for (unsigned r = 0; r < size_; ++r) {
      sizes[r] = as_int(begins[r + 1] - begins[r]);
      places[r] = as_int(begins[r]);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgatherv(kInPlace, 0, MPI_DATATYPE_NULL, all.data(), sizes.data(), places.data(), MPI_BYTE,
                          comm_, &request));
    wait_for(request);
  }

  std::vector<std::vector<std::byte>> exchange(std::span<const std::vector<std::byte>> to) override {
    std::vector<std::uint64_t> sent(size_);
    std::vector<std::uint64_t> received(size_);
    for (unsigned r = 0; r < size_; ++r) sent[r] = to[r].size();
    const Call call(sizeof(std::uint64_t) * size_);
    std::vector<MPI_Request> requests(1);
    check(MPI_Ialltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, comm_,
                        requests.data()));
    wait_for(requests);
    requests.clear();
    std::vector<std::vector<std::byte>> from(size_);
    for (unsigned r = 0; r < size_; ++r) {
      from[r].resize(received[r]);
      if (r != rank_) total.received_bytes += received[r];
      in_pieces(from[r].size(), [&](std::size_t begin, std::size_t length) {
        requests.emplace_back();
        check(MPI_Irecv(from[r].data() + begin, as_int(length), MPI_BYTE, static_cast<int>(r), kTag, comm_,
                        &requests.back()));
      });
    }
    for (unsigned r = 0; r < size_; ++r) {
      in_pieces(to[r].size(), [&](std::size_t begin, std::size_t length) {
        requests.emplace_back();
        check(MPI_Isend(to[r].data() + begin, as_int(length), MPI_BYTE, static_cast<int>(r), kTag, comm_,
                        &requests.back()));
      });
    }
    wait_for(requests);
    return from;
  }

  void add(std::span<std::uint64_t> values) override {
    const Call call(values.size_bytes());
    in_pieces(values.size_bytes(), [&](std::size_t begin, std::size_t length) {
      constexpr std::size_t kSize = sizeof(std::uint64_t);
      MPI_Request request = MPI_REQUEST_NULL;
      check(MPI_Iallreduce(kInPlace, values.data() + begin / kSize, as_int(length / kSize), MPI_UINT64_T,
                           MPI_SUM, comm_, &request));
      wait_for(request);
    });
  }

  void broadcast(std::span<std::byte> bytes, unsigned from) override {
    const Call call(from == rank_ ? 0 : bytes.size());
    send_all(bytes, from);
  }

  std::unique_ptr<World> split(unsigned group) override {
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split(comm_, static_cast<int>(group), static_cast<int>(rank_), &part));
    return std::make_unique<MpiWorld>(part);
  }

 private:
  void send_all(std::span<std::byte> bytes, unsigned from) {
    in_pieces(bytes.size(), [&](std::size_t begin, std::size_t length) {
      MPI_Request request = MPI_REQUEST_NULL;
      check(MPI_Ibcast(bytes.data() + begin, as_int(length), MPI_BYTE, static_cast<int>(from), comm_,
                       &request));
      wait_for(request);
    });
  }

  MPI_Comm comm_;
  unsigned rank_ = 0;
  unsigned size_ = 0;
};

std::unique_ptr<World> world_of_all() {
  MPI_Comm all = MPI_COMM_NULL;
  check(MPI_Comm_dup(MPI_COMM_WORLD, &all));
  return std::make_unique<MpiWorld>(all);
}

std::string host() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

bool has_launcher() {
  constexpr std::array kVariables = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK",
                                     "MPI_LOCALNRANKS"};
  return std::ranges::any_of(kVariables, [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

/// A thread that sends a byte to rank 0 (on rank 0: to all others) every now and then, and notices who does not.
/// Waiting in a call and working for hours look the same from outside; a process that was killed, stopped or cut
/// off sends nothing.
class Heartbeat {
 public:
  Heartbeat(std::chrono::milliseconds timeout, std::vector<std::string> places)
      : timeout_(timeout), places_(std::move(places)) {
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_));
    MPI_Comm_rank(comm_, &rank_);
    const int ranks = static_cast<int>(places_.size());
    for (int r = 0; r < ranks; ++r) {
      if ((rank_ == 0) != (r == 0)) peers_.push_back({r, Clock::now(), MPI_REQUEST_NULL});
    }
    thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  }
  /// Waits for all ranks, so that nobody misses one that is still at work.
  ~Heartbeat() {
    meet();
    thread_.request_stop();
    thread_.join();
    meet();  // nobody sends any more
    receive();
    for (Peer& peer : peers_) MPI_Wait(&peer.sending, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm_);
  }
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    int rank;
    Clock::time_point heard;
    MPI_Request sending;
  };
  static constexpr int kBeatsPerTimeout = 8;

  void meet() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm_, &request);
    wait_for(request);
  }

  void watch(const std::stop_token& stop) {
    const auto pause = std::clamp(timeout_ / kBeatsPerTimeout, std::chrono::milliseconds(20),
                                  std::chrono::milliseconds(5000));
    Clock::time_point last = Clock::now();
    while (!stop.stop_requested()) {
      send();
      receive();
      const auto now = Clock::now();
      // Whoever was stopped for a while has not listened: the others may have been there all the time.
      const bool slept = now - last > timeout_ / 2;
      last = now;
      for (Peer& peer : peers_) {
        if (slept) peer.heard = now;
        if (now - peer.heard > timeout_) give_up(peer);
      }
      // Woken at once when the job ends: it would otherwise stay for a pause after its result is written.
      std::unique_lock lock(mutex_);
      end_.wait_for(lock, stop, pause, [] { return false; });
    }
  }

  void send() {
    for (Peer& peer : peers_) {
      int free = 1;
      MPI_Test(&peer.sending, &free, MPI_STATUS_IGNORE);
      if (free != 0) MPI_Isend(&byte_, 1, MPI_BYTE, peer.rank, kTag, comm_, &peer.sending);
    }
  }

  void receive() {
    for (Peer& peer : peers_) {
      for (;;) {
        int waiting = 0;
        MPI_Iprobe(peer.rank, kTag, comm_, &waiting, MPI_STATUS_IGNORE);
        if (waiting == 0) break;
        char byte = 0;
        MPI_Recv(&byte, 1, MPI_BYTE, peer.rank, kTag, comm_, MPI_STATUS_IGNORE);
        peer.heard = Clock::now();
      }
    }
  }

  [[noreturn]] void give_up(const Peer& peer) const {
    const auto seconds = std::chrono::duration<double>(Clock::now() - peer.heard).count();
    const std::string text = fmt::format(
        "firth-mpi: error ({}): {} has not been heard of for {:.0f} s: it is stopped, dead or cut off; see "
        "--rank-timeout\n",
        places_[static_cast<std::size_t>(rank_)], places_[static_cast<std::size_t>(peer.rank)], seconds);
    std::fputs(text.c_str(), stderr);
    wait_until_read(STDERR_FILENO);
    // MPI_Abort may wait for the one that is gone; the launcher ends the others when a process ends like this.
    ::_exit(1);
  }

  std::chrono::milliseconds timeout_;
  std::vector<std::string> places_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  char byte_ = 0;
  std::vector<Peer> peers_;
  std::mutex mutex_;
  std::condition_variable_any end_;
  std::jthread thread_;
};

Session::Session(int* argc, char*** argv) : launched_(has_launcher()) {
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  many_threads_ = provided >= MPI_THREAD_MULTIPLE;
  if (provided < MPI_THREAD_FUNNELED)
    throw WorldError("this MPI library does not let a program have threads");
  world_ = world_of_all();
  place_ = fmt::format("rank {}, host {}", world_->rank(), host());
}

Session::~Session() {
  heartbeat_.reset();
  world_.reset();
  MPI_Finalize();
}

bool Session::watch_ranks(std::chrono::milliseconds timeout) {
  if (!many_threads_) return false;
  constexpr std::size_t kLength = 128;
  std::vector<std::byte> all(world_->size() * kLength, std::byte{0});
  std::vector<std::size_t> begins;
  for (unsigned r = 0; r <= world_->size(); ++r) begins.push_back(r * kLength);
  const auto own = std::as_bytes(std::span(place_).first(std::min(place_.size(), kLength)));
  std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(begins[world_->rank()]));
  world_->gather(all, begins);
  std::vector<std::string> places;
  for (unsigned r = 0; r < world_->size(); ++r) {
    const std::string_view text(reinterpret_cast<const char*>(all.data() + begins[r]), kLength);
    places.emplace_back(text.substr(0, text.find('\0')));
  }
  heartbeat_ = std::make_unique<Heartbeat>(timeout, std::move(places));
  return true;
}

std::vector<RankReport> Session::reports() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  total.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  total.work_seconds = processor_seconds() - total.call_seconds;
  std::vector<RankReport> all(world_->size());
  all[world_->rank()] = total;
  std::vector<std::size_t> begins;
  for (unsigned r = 0; r <= world_->size(); ++r) begins.push_back(r * sizeof(RankReport));
  world_->gather(std::as_writable_bytes(std::span(all)), begins);
  return all;
}

void Session::abort(int code) {
  wait_until_read(STDERR_FILENO);
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

void set_max_message(std::size_t bytes) {
  constexpr std::size_t kSize = sizeof(std::uint64_t);  // numbers are not cut
  max_message = std::clamp(bytes / kSize * kSize, kSize, kMaxMessage);
}

}  // namespace firth::mpi
