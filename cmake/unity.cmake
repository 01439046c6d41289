# A build to use compiles many files of a room as one: what they share (the standard library, fmt, JSON, our own headers) is
# read, and its templates are made and optimised, once per group instead of once per file. But who changes a file waits for its
# whole group, so a build to work on (with tests, for a debugger, with sanitizers) compiles file by file.
# structure.names sees to it that no file means another one's name.
set(FIRTH_UNITY AUTO CACHE STRING "Compile the files of a room together: ON, OFF, or AUTO = in a build without tests")
set(FIRTH_UNITY_FILES 64 CACHE STRING "How many files are compiled together at most")
set(FIRTH_COMPILES_TOGETHER ${FIRTH_UNITY})
if(FIRTH_UNITY STREQUAL "AUTO")
  if(FIRTH_BUILD_TESTS OR FIRTH_SANITIZE OR FIRTH_COVERAGE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(FIRTH_COMPILES_TOGETHER OFF)
  else()
    set(FIRTH_COMPILES_TOGETHER ON)
  endif()
endif()

# The groups of a target: one room (folder below the target's) after the other, so a new file moves files of its own room only.
# Files with compile options of their own stay alone; CMake sees to that.
function(firth_compile_together target)
  if(NOT FIRTH_COMPILES_TOGETHER)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(REGEX MATCH "^[^/]+/" room "${path}")
    string(MAKE_C_IDENTIFIER "room_${room}" room)
    if(NOT DEFINED files_of_${room})
      set(files_of_${room} 0)
    endif()
    math(EXPR group "${files_of_${room}} / ${FIRTH_UNITY_FILES}")
    math(EXPR files_of_${room} "${files_of_${room}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # The file that includes a file looks to gcc like one that includes a header, and a type there like one of many.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  # gcc stops inlining when a file of more than 10,000 instructions has grown by 40 %: a limit for one file, not for 64.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param large-unit-insns=1000000>")
  # gcc collects its garbage whenever the heap has grown by a third: less often saves 7 % of the time, and the largest group takes 1.4 GB.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-expand=200 --param ggc-min-heapsize=400000>")
endfunction()
