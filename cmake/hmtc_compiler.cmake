# hmtc_compile_options(TARGET): the language level, warnings and sanitizers of every target of ours.
function(hmtc_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
  # GCC 12 reports overlaps that cannot happen in `"text" + std::string` (its bug 105651).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(HMTC_DEVELOPER)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(HMTC_SANITIZE)
    # Their instrumentation makes GCC 12 lose track of values: it takes torch's optional ones for
    # uninitialised and sees overflows in std::string's own code.
    set(false_alarms maybe-uninitialized array-bounds stringop-overflow stringop-overread)
    list(TRANSFORM false_alarms PREPEND "-Wno-")
    target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:${false_alarms}>")
    target_compile_options(${target} PUBLIC -fsanitize=${HMTC_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${HMTC_SANITIZE})
  endif()
endfunction()
