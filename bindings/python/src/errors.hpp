// The library's errors as Python's exceptions, which firth/_errors.py defines.
#pragma once

namespace firth::python {

void register_errors();

}  // namespace firth::python
