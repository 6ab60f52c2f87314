#include <memory>

#include "inspect.h"
#include "output.h"
#include "verbs.h"

namespace hmtc {

void add_inspect_verb(CLI::App& program) {
  struct Arguments {
    std::string path;
    bool json = false;
    bool tree = false;
  };
  CLI::App* verb =
      program.add_subcommand("inspect", "Statistics, problems and the tree of data or a model");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("path", arguments->path, "data directory or model directory")->required();
  verb->add_flag("--json", arguments->json, "JSON instead of text");
  verb->add_flag("--tree", arguments->tree, "the whole tree, not only its top");
  verb->callback([arguments] {
    print_result(
        inspect(arguments->path, {.json = arguments->json, .whole_tree = arguments->tree}));
    flush_results();
  });
}

}  // namespace hmtc
