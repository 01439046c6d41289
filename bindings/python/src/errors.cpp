#include "errors.hpp"

#include <pybind11/pybind11.h>

#include <firth/error.hpp>
#include <new>
#include <system_error>

#include "strings.hpp"

namespace firth::python {
namespace {

/// What only some errors have.
struct Details {
  std::string field = {};
  int error_number = 0;
};

void raise(const char* kind, const Error& error, const Details& details = {}) {
  const py::object exception =
      py::module_::import("firth._errors")
          .attr("make")(kind, to_str(error.what()), to_str(error.where().path), error.where().line,
                        error.where().column, to_str(error.hint()), details.field, details.error_number);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const UsageError& error) {
    raise("usage", error, {.field = error.field()});
  } catch (const IoError& error) {
    raise("io", error, {.error_number = error.error_number()});
  } catch (const InputError& error) {
    raise("input", error);
  } catch (const FormatError& error) {
    raise("format", error);
  } catch (const ResourceError& error) {
    raise("resource", error);
  } catch (const Error& error) {
    raise("other", error);
  } catch (const std::bad_alloc&) {
    raise("resource", ResourceError("out of memory", "allow more (ulimit -v), or close other programs"));
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    raise("resource", ResourceError("the system does not let another thread start",
                                    "raise the limits (ulimit -u, ulimit -v)"));
  }
}

}  // namespace

void register_errors() {
  py::register_exception_translator(&translate);
}

}  // namespace firth::python
