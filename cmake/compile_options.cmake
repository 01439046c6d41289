# For our own targets only; consumers of the library never see these flags. Whether a warning is an error is up to who
# builds: the presets say yes, a distribution with a newer compiler says no.
add_library(firth_compile_options INTERFACE)
target_compile_options(firth_compile_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${FIRTH_WARNINGS_AS_ERRORS}>:-Werror>
  # GCC 12 sees overlaps and overflows in std::string's operator+ that are not there (GCC bugs 105651, 105329).
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>"
  # The same sums on every machine: no fused multiply-add behind our back.
  -ffp-contract=off)

if(FIRTH_NATIVE)
  target_compile_options(firth_compile_options INTERFACE -march=native)
endif()
if(FIRTH_ASSERTIONS)
  target_compile_definitions(firth_compile_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(FIRTH_SANITIZE)
  target_compile_options(firth_compile_options INTERFACE
    -fsanitize=${FIRTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(firth_compile_options INTERFACE -fsanitize=${FIRTH_SANITIZE})
  # Sanitizer run-times start after the resolvers that function clones need.
  target_compile_definitions(firth_compile_options INTERFACE FIRTH_NO_CLONES=1)
endif()
if(FIRTH_COVERAGE)
  target_compile_options(firth_compile_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(firth_compile_options INTERFACE --coverage)
endif()
