#include "support/train_tiny.h"

#include "learn/train_network.h"

namespace hmtc {

TrainResult train_tiny(const std::filesystem::path& data, const std::filesystem::path& out,
                       const Config& config, RecordingObserver& observer, bool resume) {
  TrainRequest request = tiny_request(data, out, config, observer, resume);
  request.train_network = train_network;
  return train(request);
}

}  // namespace hmtc
