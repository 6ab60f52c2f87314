# Why each of them is here: docs/architecture.md, "Libraries". Users of the installed library need
# none of them to build.
find_package(Threads REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(pugixml REQUIRED)
find_package(hwy REQUIRED)
find_package(CLI11 REQUIRED)

if(HMTC_BUILD_TRAINER)
  # TorchConfig.cmake appends to CMAKE_CXX_FLAGS; the flags of a target are ours to set.
  set(hmtc_cxx_flags "${CMAKE_CXX_FLAGS}")
  find_package(Torch REQUIRED)
  set(CMAKE_CXX_FLAGS "${hmtc_cxx_flags}")
  unset(hmtc_cxx_flags)
endif()
