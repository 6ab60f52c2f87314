# Installs the build into a prefix of its own, then configures, builds and runs a project that finds
# it there. Given: BUILD_DIR, CONSUMER_DIR, WORK_DIR, GENERATOR, COMPILER, BUILD_TYPE.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${result}:\n${output}")
  endif()
endfunction()

set(prefix "${WORK_DIR}/prefix")
file(REMOVE_RECURSE "${WORK_DIR}")
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*)
list(SORT headers)
if(NOT headers STREQUAL "hmtc/classifier.h;hmtc/error.h")
  message(FATAL_ERROR "expected the public headers alone, found ${headers}")
endif()
run(${prefix}/bin/hmtc --version)

run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/consumer -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/consumer)
run(${WORK_DIR}/consumer/consumer)

set(documents
  "{\"text\": \"green leaf\", \"labels\": [\"drink/tea\"]}\n"
  "{\"text\": \"rye flour\", \"labels\": [\"bakery/bread\"]}\n")
foreach(split train val)
  file(WRITE ${WORK_DIR}/data/${split}.jsonl ${documents} ${documents} ${documents})
endforeach()
run(${prefix}/bin/hmtc train --data ${WORK_DIR}/data --out ${WORK_DIR}/model --model linear)
execute_process(COMMAND ${WORK_DIR}/consumer/consumer ${WORK_DIR}/model "a green leaf"
  OUTPUT_VARIABLE labels ERROR_VARIABLE problem RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT labels MATCHES "^drink")
  message(FATAL_ERROR "expected the label drink first, found ${labels}${problem} (exit code ${result})")
endif()
file(REMOVE_RECURSE "${WORK_DIR}")
