# Installs the build into a prefix of its own, then configures, builds and runs the programs of
# examples/ over it, as somebody else's project. Given: BUILD_DIR, EXAMPLES_DIR, WORK_DIR, GENERATOR,
# C_COMPILER, CXX_COMPILER, BUILD_TYPE, HAS_TRAINER, LIBEXEC.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern}, found\n${text}")
  endif()
endfunction()

set(prefix "${WORK_DIR}/prefix")
file(REMOVE_RECURSE "${WORK_DIR}")
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*)
list(SORT headers)
string(REPLACE ";" " " headers "${headers}")
expect("${headers}" "^hmtc/classifier.h hmtc/document.h hmtc/error.h hmtc/explanation.h hmtc/export.h hmtc/hmtc.h hmtc/label.h hmtc/predict_options.h hmtc/stop_token.h hmtc/train.h hmtc/version.h$")

# The package asks for none of the libraries that hmtc itself was built with, LibTorch least of all.
file(GLOB_RECURSE package ${prefix}/*hmtc*.cmake)
foreach(file IN LISTS package)
  file(READ ${file} text)
  if(text MATCHES "[Tt]orch|find_dependency|hmtc_runtime")
    message(FATAL_ERROR "${file} asks for what only the build needs")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${EXAMPLES_DIR} -B ${WORK_DIR}/examples -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/examples)
run(${WORK_DIR}/examples/learn ${WORK_DIR}/model)
expect("${output}" "^drink\t[0-9.]+\ndrink/tea\t")
file(WRITE ${WORK_DIR}/texts "fresh leaves in the pot\n")
execute_process(COMMAND ${WORK_DIR}/examples/classify ${WORK_DIR}/model
  INPUT_FILE ${WORK_DIR}/texts OUTPUT_VARIABLE output ERROR_VARIABLE problem)
expect("${output}${problem}" "^drink\t[0-9.e+-]+\t.*leaves")
execute_process(COMMAND ${WORK_DIR}/examples/classify ${WORK_DIR}/nothing
  RESULT_VARIABLE result ERROR_VARIABLE problem)
expect("${result} ${problem}" "^4 classify: .*nothing")

# The installed program finds the trainer in libexec, and says what to install where there is none.
run(${prefix}/bin/hmtc --version)
set(documents
  "{\"text\": \"green leaf\", \"labels\": [\"drink/tea\"]}\n"
  "{\"text\": \"rye flour\", \"labels\": [\"bakery/bread\"]}\n")
foreach(split train val)
  file(WRITE ${WORK_DIR}/data/${split}.jsonl ${documents} ${documents} ${documents})
endforeach()
set(train ${prefix}/bin/hmtc train --data ${WORK_DIR}/data --model la-hcn --set train.epochs=1)
if(HAS_TRAINER)
  run(${train} --out ${WORK_DIR}/network)
  file(REMOVE ${prefix}/${LIBEXEC}/hmtc/hmtc-trainer)
endif()
execute_process(COMMAND ${train} --out ${WORK_DIR}/another RESULT_VARIABLE result ERROR_VARIABLE problem)
expect("${result} ${problem}" "^2 hmtc: .*hmtc-trainer.*install")
file(REMOVE_RECURSE "${WORK_DIR}")
