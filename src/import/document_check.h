#pragma once

#include <string>

#include "base/error.h"
#include "hmtc/document.h"

namespace hmtc {

/// Throws kInput unless the label is UTF-8, not blank and free of control characters, which
/// hierarchy.tsv cannot hold.
void check_label(const std::string& label, const Place& place);

/// The same for all labels; id, text and tokens must be UTF-8.
void check_document(const Document& document, const Place& place);

/// Whether there is no token, or a text of white space only.
bool has_no_word(const Document& document);

}  // namespace hmtc
