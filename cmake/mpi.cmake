# The C interface of MPI, used from C++: the libraries that mpicxx adds are not needed.
enable_language(C)
if(FIRTH_WITH_MPI STREQUAL "AUTO" AND FIRTH_SANITIZE)
  set(MPI_C_FOUND OFF)  # the sanitizers complain about what MPI libraries do
elseif(FIRTH_WITH_MPI STREQUAL "AUTO")
  find_package(MPI 3.1 QUIET COMPONENTS C)
else()
  find_package(MPI 3.1 REQUIRED COMPONENTS C)
endif()
if(MPI_C_FOUND)
  add_subdirectory(tools/firth-mpi)
else()
  message(STATUS "firth-mpi is not built")
endif()
