# Writes the manual pages and the completions that the command prints about itself:
#   cmake -DCOMMAND=firth -DOUTPUT=FOLDER -DFORMATS=docs/formats.md [-DLOWDOWN=lowdown] -DVERSION=X -P write_manual.cmake
# A folder per destination: man1, man5, bash, zsh, fish.
function(print_to file)
  execute_process(COMMAND ${COMMAND} ${ARGN} OUTPUT_FILE ${OUTPUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
foreach(folder man1 man5 bash zsh fish)
  file(MAKE_DIRECTORY ${OUTPUT}/${folder})
endforeach()
print_to(man1/firth.1 --man)
execute_process(COMMAND ${COMMAND} --reference OUTPUT_VARIABLE reference COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n## `firth [a-z -]+`\n" headings "${reference}")
foreach(heading IN LISTS headings)
  string(REGEX REPLACE ".*`firth ([a-z -]+)`.*" "\\1" name "${heading}")
  string(REPLACE " " ";" words "${name}")
  string(REPLACE " " "-" page "${name}")
  print_to(man1/firth-${page}.1 --man ${words})
endforeach()
print_to(bash/firth --complete bash)
print_to(zsh/_firth --complete zsh)
print_to(fish/firth.fish --complete fish)

# firth-formats(5) is docs/formats.md, if there is something that makes a page of it. Links within the page and a font that
# terminals do not have are taken out, and the first heading becomes the name that whatis looks for.
if(LOWDOWN)
  execute_process(COMMAND ${LOWDOWN} -s -tman -m title=FIRTH-FORMATS -m section=5 -m "source=firth ${VERSION}"
    -m "volume=File Formats" -m date= ${FORMATS} OUTPUT_VARIABLE page COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE " <\\\\fI#[^>]*\\\\fR>" "" page "${page}")
  string(REPLACE "\\fC" "\\fB" page "${page}")
  string(REGEX REPLACE "([a-z])_([a-z])" "\\1_\\\\:\\2" page "${page}") # long names may be broken in narrow columns
  string(REPLACE ".SH\nFile formats\n.LP\n"
    ".ad l\n.SH NAME\nfirth\\-formats \\- files that firth reads and writes\n.SH DESCRIPTION\n" page "${page}")
  file(WRITE ${OUTPUT}/man5/firth-formats.5 "'\\\" t\n${page}")
endif()
