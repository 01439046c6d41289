# Installed: the command, the library and its public headers, and a CMake package file.
include(CMakePackageConfigHelpers)
install(TARGETS firth EXPORT firthTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/firth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/generated/firth/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/firth)
if(FIRTH_BUILD_CLI)
  install(TARGETS firth_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
