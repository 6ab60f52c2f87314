#pragma once

namespace hmtc {

/// What of LA-HCN is there: all, or one of the ablations of section 4.4.
struct LaHcnParts {
  bool components = true;         ///< without: LA-HCN_NC
  bool local_classifier = true;   ///< without: LA-HCN_G
  bool global_classifier = true;  ///< without: LA-HCN_L
};

}  // namespace hmtc
