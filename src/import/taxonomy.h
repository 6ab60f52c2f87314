#pragma once

#include <string>

#include "import/edge_collector.h"
#include "import/notes.h"

namespace hmtc {

/// Reads a taxonomy of lines parent<TAB>child<TAB>child…; a line with one column names a label
/// without children. A label that is nobody's child is a top label. A label "Root" that is nobody's
/// child is no label: its children are top labels. A label that is its own child is noted.
/// Throws kInput with file and line, kIo.
EdgeCollector read_taxonomy(const std::string& path, Notes& notes);

}  // namespace hmtc
