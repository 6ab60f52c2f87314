# Used by the build and, installed beside hmtcConfig.cmake, by find_package(hmtc).
# Why each of them is here: docs/architecture.md, "Libraries".
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(ICU COMPONENTS uc i18n)
find_dependency(ZLIB)
find_dependency(OpenSSL COMPONENTS Crypto)
find_dependency(fmt)
find_dependency(spdlog)
find_dependency(simdjson)
find_dependency(nlohmann_json)
find_dependency(pugixml)
find_dependency(hwy)

# TorchConfig.cmake appends to CMAKE_CXX_FLAGS; the flags of a target are ours to set.
set(_hmtc_cxx_flags "${CMAKE_CXX_FLAGS}")
find_dependency(Torch)
set(CMAKE_CXX_FLAGS "${_hmtc_cxx_flags}")
unset(_hmtc_cxx_flags)
