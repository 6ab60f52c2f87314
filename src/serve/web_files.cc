#include "serve/web_files.h"

#include "serve/embedded_openapi.h"
#include "serve/embedded_web.h"

namespace hmtc {

std::span<const EmbeddedFile> web_files() { return embedded_web(); }

std::string_view openapi_json() { return embedded_openapi().front().content; }

std::string_view content_type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".json")) return "application/json";
  if (name.ends_with(".svg")) return "image/svg+xml";
  if (name.ends_with(".png")) return "image/png";
  return "application/octet-stream";
}

}  // namespace hmtc
