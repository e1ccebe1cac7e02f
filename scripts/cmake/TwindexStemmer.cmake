# Libraries without a .pc file, as imported targets: twindex_stemmer (Snowball's libstemmer), twindex_unistring (GNU libunistring).

function(twindex_plain_library name library header)
    find_library(${name}_LIBRARY ${library} REQUIRED)
    find_path(${name}_INCLUDE ${header} REQUIRED)
    mark_as_advanced(${name}_LIBRARY ${name}_INCLUDE)
    add_library(${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES
        IMPORTED_LOCATION "${${name}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE}")
endfunction()

twindex_plain_library(twindex_stemmer stemmer libstemmer.h)
twindex_plain_library(twindex_unistring unistring unistr.h)
