# A first build compiles many files of a room as one: what they share (the standard library, fmt, JSON, our own headers) is
# read, and its templates are made and optimised, once per group instead of once per file. Half of the CPU time of a build
# that compiles every file alone; but who changes a file waits for its whole group. So this is for those who build to use.
option(FIRTH_UNITY "Compile the files of a room together, in groups: a first build takes half the time" OFF)
set(FIRTH_UNITY_FILES 24 CACHE STRING "How many files are compiled together at most, with FIRTH_UNITY")

# The groups of a target: one room (folder below the target's) after the other, so a new file moves files of its own room only.
# Files with compile options of their own stay alone; CMake sees to that.
function(firth_compile_together target)
  if(NOT FIRTH_UNITY)
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
endfunction()
