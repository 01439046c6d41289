#include "linalg/blas.hpp"

#include <cblas.h>
#ifndef FIRTH_LINK_OPENBLAS
#include <dlfcn.h>
#endif
#include <sys/mman.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "firth/error.hpp"

// LAPACK comes with OpenBLAS; its Fortran interface needs no header of its own.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming)
void ssyevd_(const char* job, const char* part, const int* n, float* a, const int* lda, float* w, float* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
void dsyevd_(const char* job, const char* part, const int* n, double* a, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
// NOLINTEND(readability-identifier-naming)
}

namespace firth::linalg {
namespace {

/// OpenBLAS takes a buffer for every call that runs at a time, keeps it for later ones, and where it gets none it
/// tries again for ever. So each call takes a place here first, and a place is made only where there is room.
class BufferPlaces {
 public:
  void take() {
    if (take_free()) return;
    std::unique_lock lock(mutex_);
    ++waiting_;
    while (!take_free()) {
      if (has_room()) {
        ++places_;
      } else if (places_ == 0) {
        --waiting_;
        throw ResourceError("OpenBLAS needs 128 MB of address space, and there is not so much left",
                            "allow more (ulimit -v), or close other programs");
      } else {
        returned_.wait(lock);
      }
    }
    --waiting_;
  }

  void return_place() {
    --taken_;
    if (waiting_ == 0) return;
    const std::lock_guard lock(mutex_);
    returned_.notify_one();
  }

 private:
  bool take_free() {
    int taken = taken_;
    while (taken < places_)
      if (taken_.compare_exchange_weak(taken, taken + 1)) return true;
    return false;
  }

  /// Asks for the memory as OpenBLAS does, with something to spare for other threads.
  static bool has_room() {
    constexpr std::size_t kBufferBytes = std::size_t{136} << 20;
    void* const room =
        ::mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    ::munmap(room, kBufferBytes);
    return true;
  }

  std::atomic<int> places_{0};
  std::atomic<int> taken_{0};
  std::atomic<int> waiting_{0};
  std::mutex mutex_;
  std::condition_variable returned_;
};

/// A call of OpenBLAS.
class BufferPlace {
 public:
  BufferPlace() { all().take(); }
  ~BufferPlace() { all().return_place(); }
  BufferPlace(const BufferPlace&) = delete;
  BufferPlace& operator=(const BufferPlace&) = delete;

 private:
  static BufferPlaces& all() {
    static BufferPlaces places;
    return places;
  }
};

/// OpenBLAS starts threads as soon as it is loaded, and they watch for work for a tenth of a second: most
/// commands never need it and would take longer for the watching than for their own work. So it is loaded
/// when it is needed, and stays. The build decides its file name (FIRTH_OPENBLAS_NAME), or that it is linked
/// like any other library (FIRTH_LINK_OPENBLAS).
class OpenBlas {
 public:
  static const OpenBlas& get() {
    static const OpenBlas library = load();
    return library;
  }

  decltype(&cblas_sgemm) sgemm;
  decltype(&cblas_dgemm) dgemm;
  decltype(&ssyevd_) ssyevd;
  decltype(&dsyevd_) dsyevd;
  decltype(&openblas_get_num_threads) get_num_threads;
  decltype(&openblas_set_num_threads) set_num_threads;

 private:
  static OpenBlas load() {
    const BufferPlace room;  // there must be some before anything is loaded
    return OpenBlas();
  }

#ifdef FIRTH_LINK_OPENBLAS
  OpenBlas()
      : sgemm(&cblas_sgemm),
        dgemm(&cblas_dgemm),
        ssyevd(&ssyevd_),
        dsyevd(&dsyevd_),
        get_num_threads(&openblas_get_num_threads),
        set_num_threads(&openblas_set_num_threads) {}
};
#else
  OpenBlas() : handle_(dlopen(FIRTH_OPENBLAS_NAME, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) fail();
    find("cblas_sgemm", sgemm);
    find("cblas_dgemm", dgemm);
    find("ssyevd_", ssyevd);
    find("dsyevd_", dsyevd);
    find("openblas_get_num_threads", get_num_threads);
    find("openblas_set_num_threads", set_num_threads);
  }

  template <typename Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr) fail();
  }

  [[noreturn]] static void fail() {
    const char* const reason = dlerror();
    throw ResourceError(std::string("OpenBLAS cannot be loaded: ") + (reason == nullptr ? "?" : reason),
                        "install it (Debian: libopenblas0), or allow more memory (ulimit -v)");
  }

  void* handle_;
};
#endif

std::mutex& setting_mutex() {
  static std::mutex mutex;
  return mutex;
}

int users = 0;
int threads_before = 1;

template <typename T>
int stride_of(const View<T>& view) {
  return static_cast<int>(view.stride);
}

// The functions of BLAS and LAPACK for a type of numbers.
const auto& gemm_of(const OpenBlas& library, float) {
  return library.sgemm;
}
const auto& gemm_of(const OpenBlas& library, double) {
  return library.dgemm;
}
const auto& syevd_of(const OpenBlas& library, float) {
  return library.ssyevd;
}
const auto& syevd_of(const OpenBlas& library, double) {
  return library.dsyevd;
}

template <typename T>
struct Factor {
  View<const T> view;
  CBLAS_TRANSPOSE transpose;
};

/// c = alpha a b + beta c
template <typename T>
void gemm(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c) {
  if (c.rows == 0 || c.columns == 0) return;
  const std::size_t depth = a.transpose == CblasTrans ? a.view.rows : a.view.columns;
  const OpenBlas& library = OpenBlas::get();
  const BufferPlace place;
  gemm_of(library, T{})(CblasRowMajor, a.transpose, b.transpose, static_cast<int>(c.rows),
                        static_cast<int>(c.columns), static_cast<int>(depth), alpha, a.view.data,
                        stride_of(a.view), b.view.data, stride_of(b.view), beta, c.data, stride_of(c));
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const OpenBlas& library = OpenBlas::get();
  const std::lock_guard lock(setting_mutex());
  if (users++ == 0) {
    threads_before = library.get_num_threads();
    library.set_num_threads(1);
  }
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard lock(setting_mutex());
  if (--users == 0) OpenBlas::get().set_num_threads(threads_before);
}

template <typename T>
void multiply(T alpha, View<const T> a, View<const T> b, T beta, View<T> c) {
  gemm<T>(alpha, {a, CblasNoTrans}, {b, CblasNoTrans}, beta, c);
}

template <typename T>
void multiply_transposed(T alpha, View<const T> a, View<const T> b, T beta, View<T> c) {
  gemm<T>(alpha, {a, CblasTrans}, {b, CblasNoTrans}, beta, c);
}

template <typename T>
void multiply_by_transposed(T alpha, View<const T> a, View<const T> b, T beta, View<T> c) {
  gemm<T>(alpha, {a, CblasNoTrans}, {b, CblasTrans}, beta, c);
}

template <typename T>
void symmetric_eigen(View<T> matrix, std::span<T> values) {
  if (matrix.rows == 0) return;
  // Row-major upper is Fortran's lower; Fortran's eigenvector columns are our rows.
  const int n = static_cast<int>(matrix.rows);
  const int stride = stride_of(matrix);
  std::vector<T> work(1 + 6 * matrix.rows + 2 * matrix.rows * matrix.rows);
  std::vector<int> iwork(3 + 5 * matrix.rows);
  const int lwork = static_cast<int>(work.size());
  const int liwork = static_cast<int>(iwork.size());
  int info = 0;
  const OpenBlas& library = OpenBlas::get();
  const BufferPlace place;
  syevd_of(library, T{})("V", "L", &n, matrix.data, &stride, values.data(), work.data(), &lwork, iwork.data(),
                         &liwork, &info);
  if (info != 0) throw std::runtime_error("the eigenvalue iteration of LAPACK did not converge");
}

template void multiply(float, View<const float>, View<const float>, float, View<float>);
template void multiply(double, View<const double>, View<const double>, double, View<double>);
template void multiply_transposed(float, View<const float>, View<const float>, float, View<float>);
template void multiply_transposed(double, View<const double>, View<const double>, double, View<double>);
template void multiply_by_transposed(float, View<const float>, View<const float>, float, View<float>);
template void multiply_by_transposed(double, View<const double>, View<const double>, double, View<double>);
template void symmetric_eigen(View<float>, std::span<float>);
template void symmetric_eigen(View<double>, std::span<double>);

}  // namespace firth::linalg
