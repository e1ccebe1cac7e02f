# Compiler flags of every target of the project, as one interface library: twindex_flags.

option(TWINDEX_TESTS "build the tests" ON)
option(TWINDEX_WERROR "warnings are errors" OFF)
option(TWINDEX_HARDEN "hardening flags and link-time optimisation" OFF)
option(TWINDEX_STATIC "also build and install libtwindex.a" OFF)
option(TWINDEX_COVERAGE "instrument for gcovr" OFF)
option(TWINDEX_FUZZ "build the fuzz targets (clang)" OFF)
set(TWINDEX_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize= takes them")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)

add_library(twindex_flags INTERFACE)
target_compile_definitions(twindex_flags INTERFACE _GNU_SOURCE TWINDEX_VERSION="${PROJECT_VERSION}")
target_compile_options(twindex_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
    -Wwrite-strings -Wformat=2 -Wundef -Wvla -Wcast-qual -Wconversion -Wno-sign-conversion -Wimplicit-fallthrough
    -Wno-overlength-strings) # the embedded SQL scripts
if(TWINDEX_WERROR)
    target_compile_options(twindex_flags INTERFACE -Werror)
endif()
if(TWINDEX_SANITIZE)
    # The tests take as long with -Og as with -O1, and the compiler half as long; reports need lines, not variables.
    set(level -Og)
    if(TWINDEX_SANITIZE MATCHES "thread")
        set(level -O1)
    endif()
    target_compile_options(twindex_flags INTERFACE
        -fsanitize=${TWINDEX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all ${level} -g1)
    target_link_options(twindex_flags INTERFACE -fsanitize=${TWINDEX_SANITIZE})
endif()
if(TWINDEX_HARDEN)
    target_compile_options(twindex_flags INTERFACE
        -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection -fcf-protection)
    target_link_options(twindex_flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
    if(TWINDEX_STATIC AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # objects of a static library have to be usable without link-time optimisation
        set(CMAKE_C_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
    endif()
endif()
if(TWINDEX_COVERAGE)
    # atomic: counters that workers add to at the same time come out negative otherwise, and gcov stops
    target_compile_options(twindex_flags INTERFACE --coverage -fprofile-update=atomic -O0)
    target_link_options(twindex_flags INTERFACE --coverage)
endif()
if(TWINDEX_FUZZ)
    target_compile_options(twindex_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
