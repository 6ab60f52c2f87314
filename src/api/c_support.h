#pragma once

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hmtc/document.h"
#include "hmtc/hmtc.h"

/// What the C functions are made with.
namespace hmtc::c_api {

/// To be freed by hmtc_free_text(); null when there is no memory.
inline char* copy_of(std::string_view text) noexcept {
  char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::copy(text.begin(), text.end(), copy);
  copy[text.size()] = '\0';
  return copy;
}

inline char* result_of(std::string_view text) {
  char* const copy = copy_of(text);
  if (copy == nullptr) throw std::bad_alloc();
  return copy;
}

inline hmtc_status fail(hmtc_status status, const char* message, char** error) noexcept {
  if (error != nullptr) *error = copy_of(message);
  return status;
}

/// Calls work, which returns a status, and lets no exception out.
template <typename Work>
hmtc_status guarded(char** error, const Work& work) noexcept {
  try {
    return work();
  } catch (const hmtc::Error& problem) {
    return fail(static_cast<hmtc_status>(problem.kind()), problem.what(), error);
  } catch (const std::exception& problem) {
    return fail(HMTC_INTERNAL, hmtc::is_out_of_memory(problem) ? "out of memory" : problem.what(),
                error);
  } catch (...) {
    return fail(HMTC_INTERNAL, "an exception of an unknown type", error);
  }
}

/// Throws kUsage for a null pointer where there must be something.
inline void require(const void* pointer, const char* name) {
  if (pointer != nullptr) return;
  throw hmtc::Error(hmtc::ErrorKind::kUsage,
                    std::string(name) + ": expected a pointer to something, found NULL");
}

inline std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

inline std::vector<std::string> texts_of(const char* const* texts, std::size_t count,
                                         const char* name) {
  if (count > 0) require(texts, name);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    require(texts[i], name);
    all.emplace_back(texts[i]);
  }
  return all;
}

inline hmtc::Document document_of(const hmtc_document& from) {
  hmtc::Document document;
  if (from.text != nullptr) {
    document.text =
        from.text_size == 0 ? std::string(from.text) : std::string(from.text, from.text_size);
  }
  if (from.words != nullptr) document.tokens = texts_of(from.words, from.num_words, "words");
  document.labels = texts_of(from.labels, from.num_labels, "labels");
  document.id = text_or_empty(from.id);
  return document;
}

inline std::vector<hmtc::Document> documents_of(const hmtc_document* from, std::size_t count,
                                                const char* name) {
  if (count > 0) require(from, name);
  std::vector<hmtc::Document> documents;
  for (std::size_t i = 0; i < count; ++i) documents.push_back(document_of(from[i]));
  return documents;
}

}  // namespace hmtc::c_api
