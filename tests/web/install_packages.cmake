# Puts what package-lock.json names into TARGET_DIR/node_modules; nothing to do, and no network, when it is there.
set(installed "${TARGET_DIR}/node_modules/.package-lock.json")
if(EXISTS "${installed}" AND NOT "${SOURCE_DIR}/package-lock.json" IS_NEWER_THAN "${installed}")
  return()
endif()
file(COPY "${SOURCE_DIR}/package.json" "${SOURCE_DIR}/package-lock.json" DESTINATION "${TARGET_DIR}")
execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline
  WORKING_DIRECTORY "${TARGET_DIR}" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "npm ci failed in ${TARGET_DIR}: it fetches playwright-core, once; is the network reachable?")
endif()
