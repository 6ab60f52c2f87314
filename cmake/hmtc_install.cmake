# What `cmake --install` gives a user: the program, beside it in libexec what it starts to train
# networks, the library with the public headers, a package for find_package(hmtc), which defines
# hmtc::hmtc, and one for pkg-config.
include(CMakePackageConfigHelpers)
set(hmtc_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/hmtc")

install(TARGETS hmtc_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(HMTC_BUILD_TRAINER)
  install(TARGETS hmtc_trainer_program RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/hmtc)
endif()
install(TARGETS hmtc EXPORT hmtcTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/hmtc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT hmtcTargets NAMESPACE hmtc:: DESTINATION ${hmtc_package_dir})

configure_package_config_file(cmake/hmtcConfig.cmake.in "${PROJECT_BINARY_DIR}/hmtcConfig.cmake"
  INSTALL_DESTINATION ${hmtc_package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change what others rely on.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hmtcConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/hmtcConfig.cmake" "${PROJECT_BINARY_DIR}/hmtcConfigVersion.cmake"
  DESTINATION ${hmtc_package_dir})

file(RELATIVE_PATH hmtc_prefix_from_pkgconfig
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/hmtc.pc.in "${PROJECT_BINARY_DIR}/hmtc.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/hmtc.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
