#include "program.h"

#include <fmt/format.h>
#include <malloc.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/version.h"
#include "checks.h"
#include "output.h"
#include "train/trainer_program.h"
#include "verbs.h"

namespace {

/// stdout carries results only.
void log_to_stderr() {
  const auto logger = spdlog::stderr_color_mt("hmtc");
  logger->set_pattern("%^%l%$: %v");
  spdlog::set_default_logger(logger);
}

constexpr const char* kOutOfMemory =
    "out of memory; try smaller widths or a smaller train.batch_size, or a larger machine";

int fail(hmtc::ErrorKind kind, const std::string& message) {
  hmtc::print_message(fmt::format("hmtc: {}\n", message));
  return static_cast<int>(kind);
}

/// Large arrays come and go with every batch; returning their pages to the system each time would
/// cost more than the arithmetic of a small model.
void keep_freed_memory() {
  constexpr int kLargest = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
}

int run(int argc, char** argv, hmtc::TrainNetwork* train_network) {
  int exit_code = 0;
  CLI::App program("Hierarchical multi-label text classification with label-based attention",
                   "hmtc");
  program.set_version_flag("--version", hmtc::kVersion);
  program.require_subcommand(1);
  program.footer(
      "`hmtc VERB --help` tells more. Exit codes: 0 fine, 1 internal, 2 usage, 3 bad input, "
      "4 I/O, 5 corrupt model.");
  hmtc::add_import_verb(program);
  hmtc::add_inspect_verb(program);
  hmtc::add_train_verb(program, {argv, train_network}, exit_code);
  hmtc::add_evaluate_verb(program);
  hmtc::add_experiment_verb(program, exit_code);
  hmtc::add_tune_verb(program, exit_code);
  hmtc::add_predict_verb(program);
  hmtc::add_explain_verb(program);
  hmtc::add_serve_verb(program);
  hmtc::add_config_verb(program);
  const auto verbs = program.get_subcommands({});
  for (CLI::App* verb : verbs) {
    for (CLI::Option* option : verb->get_options()) {
      const bool takes_any = option->get_name() == "--text";  // of a document, which may be empty
      if (option->get_type_size() > 0 && !takes_any) option->check(hmtc::not_empty());
    }
  }
  const auto is_called = [&](const CLI::App* verb) { return verb->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && std::none_of(verbs.begin(), verbs.end(), is_called)) {
    return fail(hmtc::ErrorKind::kUsage,
                fmt::format("unknown verb \"{}\"; see `hmtc --help`", argv[1]));
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& call_for_help_or_version) {
    std::ostringstream text;
    program.exit(call_for_help_or_version, text, text);
    hmtc::print_result(text.str());
    hmtc::flush_results();
  } catch (const CLI::ParseError& error) {
    // Where something is missing and something is unknown, the one is likely the other misspelt.
    const std::vector<std::string> unknown = program.remaining(/*recurse=*/true);
    const auto option = std::find_if(unknown.begin(), unknown.end(),
                                     [](const auto& text) { return text.starts_with("-"); });
    const std::string what = unknown.empty()
                                 ? std::string(error.what())
                                 : fmt::format("unknown argument {}",
                                               option == unknown.end() ? unknown.front() : *option);
    const std::string verb = argc > 1 && argv[1][0] != '-' ? fmt::format(" {}", argv[1]) : "";
    return fail(hmtc::ErrorKind::kUsage, fmt::format("{}; see `hmtc{} --help`", what, verb));
  }
  return exit_code;
}

}  // namespace

namespace hmtc {

int run_program(int argc, char** argv, TrainNetwork* train_network) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of writing, not a sudden end
  log_to_stderr();
  keep_freed_memory();
  try {
    if (train_network != nullptr) begin_as_trainer_program(argv);
    return run(argc, argv, train_network);
  } catch (const Error& error) {
    return fail(error.kind(), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ErrorKind::kIo, error.what());
  } catch (const std::exception& error) {
    return fail(ErrorKind::kInternal, is_out_of_memory(error)
                                          ? kOutOfMemory
                                          : fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace hmtc
