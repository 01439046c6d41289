# Python and pybind11 for FIRTH_BUILD_PYTHON. Sets FIRTH_PYTHON_FOUND, or with AUTO says why not.
#
# The interpreter is the one of the system unless Python_EXECUTABLE says otherwise: the first python3 of the PATH is often
# another one (pyenv, conda), which does not see the packages of the distribution.
if(NOT DEFINED Python_EXECUTABLE AND NOT SKBUILD AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
set(FIRTH_PYTHON_FOUND OFF)
set(FIRTH_PYTHON_MISSING "")
set(FIRTH_PYTHON_REQUIRED "")
if(NOT FIRTH_BUILD_PYTHON STREQUAL "AUTO")
  set(FIRTH_PYTHON_REQUIRED REQUIRED)
endif()

set(FIRTH_PYTHON_PACKAGE_FOLDER ${PROJECT_BINARY_DIR}/bindings/python/package)
set(PYBIND11_FINDPYTHON ON)
find_package(Python 3.9 QUIET ${FIRTH_PYTHON_REQUIRED} COMPONENTS Interpreter Development.Module)
if(FIRTH_SANITIZE AND FIRTH_BUILD_PYTHON STREQUAL "AUTO")
  # It takes minutes to build and to try.
  set(FIRTH_PYTHON_MISSING "with sanitizers only -DFIRTH_BUILD_PYTHON=ON builds it")
elseif(NOT Python_FOUND)
  set(FIRTH_PYTHON_MISSING "python3-dev is missing; ./setup.sh python installs what it needs")
else()
  find_package(pybind11 2.10 CONFIG QUIET ${FIRTH_PYTHON_REQUIRED})
  if(pybind11_FOUND)
    set(FIRTH_PYTHON_FOUND ON)
  else()
    set(FIRTH_PYTHON_MISSING "pybind11-dev is missing; ./setup.sh python installs what it needs")
  endif()
endif()
if(FIRTH_PYTHON_MISSING)
  message(STATUS "The Python package is not built: ${FIRTH_PYTHON_MISSING}")
endif()
