#include "serve/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hmtc {
namespace {

using testing::HasSubstr;

TEST(Histogram, WithoutValuesIsAllZero) {
  const double bounds[] = {1, 2};
  std::string out;
  Histogram(bounds).append_to(out, "h", "");
  EXPECT_EQ(out,
            "h_bucket{le=\"1\"} 0\nh_bucket{le=\"2\"} 0\nh_bucket{le=\"+Inf\"} 0\nh_sum 0\n"
            "h_count 0\n");
}

TEST(Histogram, BucketsCountAllThatIsNotAboveTheirBound) {
  const double bounds[] = {1, 2};
  Histogram histogram(bounds);
  for (const double value : {0.5, 1.0, 1.5, 3.0}) histogram.observe(value);
  std::string out;
  histogram.append_to(out, "h", "a=\"b\",");
  EXPECT_EQ(out,
            "h_bucket{a=\"b\",le=\"1\"} 2\nh_bucket{a=\"b\",le=\"2\"} 3\n"
            "h_bucket{a=\"b\",le=\"+Inf\"} 4\nh_sum{a=\"b\"} 6\nh_count{a=\"b\"} 4\n");
}

TEST(Metrics, SayWhatWasCounted) {
  Metrics metrics;
  metrics.add_exchange({"GET", "/v1/models", 200, 10, 0.002});
  metrics.add_exchange({"GET", "/v1/models", 200, 10, 0.002});
  metrics.add_exchange({"-", "-", 431, 10, 0});
  metrics.add_batch(3, 0.01);
  metrics.add_model_load("a\"b\\c\nd", true);
  metrics.add_model_load("a", false);
  const std::string text = metrics.text({true, 4, 5, 6});
  for (const char* line :
       {"hmtc_ready 1\n", "hmtc_connections 4\n", "hmtc_queue_requests 5\n",
        "hmtc_queue_documents 6\n", "hmtc_requests_total{route=\"/v1/models\",status=\"200\"} 2\n",
        "hmtc_requests_total{route=\"-\",status=\"431\"} 1\n",
        "hmtc_request_seconds_bucket{route=\"/v1/models\",le=\"0.0025\"} 2\n",
        "hmtc_documents_total 3\n", "hmtc_batch_documents_bucket{le=\"4\"} 1\n",
        "hmtc_model_loads_total{model=\"a\\\"b\\\\c\\nd\",result=\"ok\"} 1\n",
        "hmtc_model_loads_total{model=\"a\",result=\"failed\"} 1\n", "hmtc_build_info{version="}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace hmtc
