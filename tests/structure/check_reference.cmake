# docs/cli.md must be what `firth --reference` prints.
execute_process(COMMAND ${COMMAND} --reference OUTPUT_VARIABLE printed RESULT_VARIABLE code)
file(READ ${PAGE} kept)
if(NOT code EQUAL 0 OR NOT printed STREQUAL kept)
  message(FATAL_ERROR "docs/cli.md is out of date; run: firth --reference > docs/cli.md")
endif()
