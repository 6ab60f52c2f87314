#pragma once

#include <string>
#include <vector>

#include "serve/backend.h"
#include "serve/http_types.h"
#include "serve/limits.h"

namespace hmtc {

/// The body of POST /v1/predict.
struct PredictRequest {
  std::string model;  ///< empty: the first
  std::vector<Document> documents;
  PredictAnswer answer;
};

/// The body of POST /v1/explain.
struct ExplainRequest {
  std::string model;
  Document document;
  ExplainAnswer answer;
};

/// Both throw HttpError: 400 when the body is not what docs/serving.md says, with what was expected
/// and found; 413 when it has too many documents or words. Messages quote names of members but no
/// text.
PredictRequest parse_predict_request(const std::string& body, const RequestLimits& limits);
ExplainRequest parse_explain_request(const std::string& body, const RequestLimits& limits);

}  // namespace hmtc
