# hmtc_compile_options(TARGET): the language level, warnings and sanitizers of every target of ours.
function(hmtc_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
  # GCC 12 reports overlaps that cannot happen in `"text" + std::string` (its bug 105651).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(HMTC_DEVELOPER)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(HMTC_SANITIZE)
    # With sanitizers GCC loses track of torch's optional values and takes them for uninitialised.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_compile_options(${target} PUBLIC -fsanitize=${HMTC_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${HMTC_SANITIZE})
  endif()
endfunction()
