# Installed: the command, the library with its public headers, and a CMake package: find_package(firth).
include(CMakePackageConfigHelpers)
set(FIRTH_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/firth)

install(TARGETS firth EXPORT firthTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/firth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/generated/firth/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/firth)
install(EXPORT firthTargets NAMESPACE firth:: DESTINATION ${FIRTH_PACKAGE_DIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/firthConfig.cmake.in
  ${PROJECT_BINARY_DIR}/firthConfig.cmake INSTALL_DESTINATION ${FIRTH_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/firthConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/firthDependencies.cmake ${PROJECT_BINARY_DIR}/firthConfig.cmake
  ${PROJECT_BINARY_DIR}/firthConfigVersion.cmake
  DESTINATION ${FIRTH_PACKAGE_DIR})

if(FIRTH_BUILD_CLI)
  install(TARGETS firth_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
