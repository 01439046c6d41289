#include "strings.hpp"

namespace firth::python {

py::str to_str(std::string_view text) {
  PyObject* result =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (result == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(result);
}

std::string from_str(py::handle text) {
  if (PyBytes_Check(text.ptr())) return py::cast<std::string>(text);
  if (!PyUnicode_Check(text.ptr())) {
    throw py::type_error("expected str, not " + std::string(Py_TYPE(text.ptr())->tp_name));
  }
  std::string result;
  if (append_utf8(text.ptr(), result)) return result;
  const auto bytes =
      py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes) throw py::error_already_set();
  return bytes;
}

bool append_utf8(PyObject* text, std::string& out) {
  if (PyUnicode_IS_COMPACT_ASCII(text)) {
    out.append(static_cast<const char*>(PyUnicode_DATA(text)),
               static_cast<std::size_t>(PyUnicode_GET_LENGTH(text)));
    return true;
  }
  const auto bytes = py::reinterpret_steal<py::bytes>(PyUnicode_AsUTF8String(text));
  if (!bytes) {
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    return false;
  }
  out.append(PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
  return true;
}

std::string from_path(py::handle path) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &bytes) == 0) throw py::error_already_set();
  return py::reinterpret_steal<py::bytes>(bytes);
}

py::list to_list(const std::vector<std::string>& texts) {
  py::list list(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) list[i] = to_str(texts[i]);
  return list;
}

}  // namespace firth::python
