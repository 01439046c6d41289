# Installs the build into a fresh prefix, looks at what is there, builds the example against it by CMake and by
# pkg-config, and runs both on a few lines.
set(work ${BUILD}/install-test)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed:\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

function(expect_files folder)
  foreach(pattern ${ARGN})
    file(GLOB found ${folder}/${pattern})
    if(NOT found)
      message(FATAL_ERROR "${folder} has no ${pattern}")
    endif()
  endforeach()
endfunction()

# Runs the example, and expects the classes that it writes.
function(check_consumer program)
  run(${program} ${work}/text.txt 3 ${work}/out)
  expect_files(${work}/out paths classes.tsv merges.tsv)
  file(REMOVE_RECURSE ${work}/out)
endfunction()

# Installed, then moved: nothing in the prefix may depend on where it was made.
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/first)
file(RENAME ${work}/first ${work}/prefix)
set(prefix ${work}/prefix)
expect_files(${prefix} bin/firth include/firth/firth.hpp include/firth/version.hpp ${LIBDIR}/libfirth.*
  ${LIBDIR}/cmake/firth/firthConfig.cmake ${LIBDIR}/pkgconfig/firth.pc ${DOCDIR}/LICENSE ${DOCDIR}/CHANGELOG.md
  ${DOCDIR}/docs/formats.md ${DOCDIR}/examples/cluster.cpp share/man/man1/firth.1 share/man/man1/firth-lm-train.1
  share/bash-completion/completions/firth share/zsh/site-functions/_firth share/fish/vendor_completions.d/firth.fish)
run(${prefix}/bin/firth --version)
file(WRITE ${work}/text.txt "the cat sees the dog\nthe dog sees the cat\na cat saw a dog\na dog saw a cat\n")

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install -B ${work}/build -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" -DEXAMPLE=${SOURCE}/examples/cluster.cpp)
run(${CMAKE_COMMAND} --build ${work}/build)
check_consumer(${work}/build/consumer)

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
run(pkg-config --modversion firth)
if(NOT output STREQUAL "${VERSION}\n")
  message(FATAL_ERROR "pkg-config says version ${output}")
endif()
run(pkg-config --cflags --libs firth)
separate_arguments(flags UNIX_COMMAND "${output}")
separate_arguments(extra UNIX_COMMAND "${FLAGS}")
run(${COMPILER} -std=c++20 ${extra} ${SOURCE}/examples/cluster.cpp -o ${work}/by_pkg_config ${flags})
check_consumer(${work}/by_pkg_config)

# Each component alone.
foreach(component command development documentation)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/${component} --component ${component})
endforeach()
expect_files(${work}/command bin/firth)
if(EXISTS ${work}/command/include OR EXISTS ${work}/development/bin)
  message(FATAL_ERROR "the components are mixed up")
endif()

# As a part of somebody else's project, Firth brings no command, no tests and no install rules.
file(WRITE ${work}/super/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(super LANGUAGES CXX)\n"
  "add_subdirectory(${SOURCE} firth)\nadd_executable(user ${SOURCE}/examples/cluster.cpp)\n"
  "target_link_libraries(user PRIVATE firth::firth)\nif(TARGET firth_cli OR TARGET firth_tests)\n"
  "  message(FATAL_ERROR \"a sub-project builds more than the library\")\nendif()\n")
run(${CMAKE_COMMAND} -S ${work}/super -B ${work}/super/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER})
