# Installed, by component:
#   mpi            firth-mpi, if an MPI library was found
#   command        the command, its manual pages and completions
#   library        the shared library, if that is what was built
#   development    headers, the static library or the link to the shared one, find_package(firth), pkg-config firth
#   documentation  licence, change log, docs
include(CMakePackageConfigHelpers)
set(FIRTH_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/firth)

install(TARGETS firth EXPORT firthTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/firth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/generated/firth/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/firth
  COMPONENT development)
install(EXPORT firthTargets NAMESPACE firth:: DESTINATION ${FIRTH_PACKAGE_DIR} COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/firthConfig.cmake.in
  ${PROJECT_BINARY_DIR}/firthConfig.cmake INSTALL_DESTINATION ${FIRTH_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/firthConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/firthDependencies.cmake ${PROJECT_BINARY_DIR}/firthConfig.cmake
  ${PROJECT_BINARY_DIR}/firthConfigVersion.cmake DESTINATION ${FIRTH_PACKAGE_DIR} COMPONENT development)

# firth.pc finds its prefix from its own place, so the tree may be moved.
file(RELATIVE_PATH FIRTH_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" FIRTH_PC_TO_PREFIX "${FIRTH_PC_TO_PREFIX}")
set(FIRTH_PC_PACKAGES "tbb fmt icu-uc zlib liblzma libzstd libxxhash")
if(FIRTH_LINK_OPENBLAS)
  string(APPEND FIRTH_PC_PACKAGES " openblas")
endif()
if(BUILD_SHARED_LIBS)
  # Nor Requires.private: pkg-config looks for those packages even where only the shared library is linked.
  set(FIRTH_PC_REQUIRES "")
  set(FIRTH_PC_LIBS "")
else()
  set(FIRTH_PC_REQUIRES "Requires: ${FIRTH_PC_PACKAGES}")
  set(FIRTH_PC_LIBS "-pthread -ldl")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/firth.pc.in ${PROJECT_BINARY_DIR}/firth.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/firth.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  ${PROJECT_SOURCE_DIR}/SECURITY.md ${PROJECT_SOURCE_DIR}/STABILITY.md
  ${PROJECT_SOURCE_DIR}/CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT documentation PATTERN Doxyfile EXCLUDE PATTERN doxygen.sed EXCLUDE)

if(FIRTH_BUILD_CLI)
  install(TARGETS firth_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  if(TARGET firth_mpi)
    install(TARGETS firth_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
  endif()
  # The command prints its manual and completions itself; firth-formats(5) needs lowdown.
  find_program(FIRTH_LOWDOWN lowdown)
  set(manual ${PROJECT_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${manual}/man1/firth.1
    # A distribution may build without run-time paths, so a shared library has to be pointed out.
    COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=$<TARGET_FILE_DIR:firth>
            ${CMAKE_COMMAND} -DCOMMAND=$<TARGET_FILE:firth_cli> -DOUTPUT=${manual} -DVERSION=${PROJECT_VERSION}
            -DFORMATS=${PROJECT_SOURCE_DIR}/docs/formats.md -DLOWDOWN=$<$<BOOL:${FIRTH_LOWDOWN}>:${FIRTH_LOWDOWN}>
            -P ${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake
    DEPENDS firth_cli ${PROJECT_SOURCE_DIR}/docs/formats.md ${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake VERBATIM)
  add_custom_target(firth_manual ALL DEPENDS ${manual}/man1/firth.1)
  install(DIRECTORY ${manual}/man1 ${manual}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT command)
  install(DIRECTORY ${manual}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
  install(DIRECTORY ${manual}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT command)
  install(DIRECTORY ${manual}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
endif()
