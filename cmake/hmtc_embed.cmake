# hmtc_embed(TARGET FUNCTION FILE…): puts the files into the program. Sources of TARGET that include
# "serve/FUNCTION.h" may call hmtc::FUNCTION(), which gives them as a span of EmbeddedFile. Run as a
# script (cmake -P) the same file writes the source.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(hmtc_embed_script "${CMAKE_CURRENT_LIST_FILE}")

  function(hmtc_embed target function)
    set(root "${CMAKE_CURRENT_BINARY_DIR}/embedded")
    set(folder "${root}/serve")
    file(MAKE_DIRECTORY "${folder}")
    file(CONFIGURE OUTPUT "${folder}/${function}.h" @ONLY CONTENT
"#pragma once

#include <span>

#include \"serve/web_files.h\"

namespace hmtc {
std::span<const EmbeddedFile> @function@();
}  // namespace hmtc
")
    add_custom_command(OUTPUT "${folder}/${function}.cc"
      COMMAND ${CMAKE_COMMAND} -D "FUNCTION=${function}" -D "OUTPUT=${folder}/${function}.cc"
              -D "FILES=${ARGN}" -P "${hmtc_embed_script}"
      DEPENDS ${ARGN} "${hmtc_embed_script}" VERBATIM)
    target_sources(${target} PRIVATE "${folder}/${function}.cc")
    target_include_directories(${target} PRIVATE "${root}")
  endfunction()
  return()
endif()

set(arrays "")
set(rows "")
set(number 0)
foreach(path IN LISTS FILES)
  get_filename_component(name "${path}" NAME)
  file(SHA256 "${path}" checksum)
  string(SUBSTRING "${checksum}" 0 16 etag)
  file(READ "${path}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  # An empty array would not be C++.
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {\n${bytes}0};\n")
  string(APPEND rows
    "    {\"${name}\", {reinterpret_cast<const char*>(kFile${number}), ${size}}, \"\\\"${etag}\\\"\"},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Written by cmake/hmtc_embed.cmake.
#include \"serve/${FUNCTION}.h\"

namespace hmtc {
namespace {
${arrays}}  // namespace

std::span<const EmbeddedFile> ${FUNCTION}() {
  static const EmbeddedFile files[] = {
${rows}  };
  return files;
}

}  // namespace hmtc
")
