// Not a test by itself: it trains what the page's tests in the browser have served.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

void train(const TinyProject& project, const std::string& name, const Arguments& more) {
  const ProcessResult result =
      hmtc_program(project.train_arguments(project.path("models/" + name), more));
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

TEST(ServedModel, IsTrainedInTheFolderThatTheEnvironmentNames) {
  const char* folder = std::getenv("HMTC_SERVED_PROJECT");
  if (folder == nullptr) GTEST_SKIP() << "HMTC_SERVED_PROJECT names no folder";
  const TinyProject project;
  train(project, "la-hcn", {"fusion.wide=true", "train.epochs=20"});
  train(project, "linear", {"--model", "linear"});
  std::filesystem::remove_all(folder);
  std::filesystem::copy(project.directory().path(), folder,
                        std::filesystem::copy_options::recursive);
}

}  // namespace
}  // namespace hmtc
