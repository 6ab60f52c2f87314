#pragma once

#include <CLI/CLI.hpp>

#include "train/train.h"

namespace hmtc {

/// What trains networks: this process, or hmtc-trainer with these arguments where it cannot.
struct TrainingMeans {
  char* const* arguments;
  TrainNetwork* train_network;
};

/// Each adds its verb to the program and does the work when the verb was called. The exit code of
/// a verb that ends well goes to `exit_code`; what goes wrong is thrown.
void add_config_verb(CLI::App& program);
void add_evaluate_verb(CLI::App& program);
void add_experiment_verb(CLI::App& program, int& exit_code);
void add_explain_verb(CLI::App& program);
void add_import_verb(CLI::App& program);
void add_inspect_verb(CLI::App& program);
void add_predict_verb(CLI::App& program);
void add_serve_verb(CLI::App& program);
void add_train_verb(CLI::App& program, const TrainingMeans& means, int& exit_code);
void add_tune_verb(CLI::App& program, int& exit_code);

}  // namespace hmtc
