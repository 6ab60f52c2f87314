#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"
#include "support/temporary_directory.h"
#include "train/train.h"

namespace hmtc {

/// Eight documents over fruit (apple, pear) and tool (hammer); each label has words of its own.
///   fruit: 0 1 2 3 4      apple: 0 1      pear: 2 3      tool: 5 6 7      hammer: 5 6
std::string eight_documents();

/// hierarchy.tsv of these labels.
std::string five_labels();

/// Writes hierarchy.tsv, train.jsonl and val.jsonl, both with the eight documents.
void write_tiny_data(const TemporaryDirectory& directory);

/// The same labels, and texts of two words whose order alone tells fruit and tool apart: so many
/// for training, four for validation.
void write_ordered_data(const TemporaryDirectory& directory, int num_documents = 8);

/// Small widths, no dropout, four steps of two documents an epoch, one thread.
Config tiny_training();

/// Keeps what it hears, and can stop the run.
class RecordingObserver : public TrainObserver {
 public:
  void on_message(const std::string& message) override { messages.push_back(message); }
  void on_step(const StepProgress& progress) override;
  void on_validation(const ValidationReport& report) override { validations.push_back(report); }

  std::vector<std::string> messages;
  std::vector<StepProgress> steps;
  std::vector<ValidationReport> validations;
  std::size_t pauses = 0;  ///< counted by tiny_request()
  StopToken stop;
  std::size_t pause_after = 0;   ///< steps until the run is asked to pause; 0: never
  std::size_t finish_after = 0;  ///< steps until it is asked to finish; 0: never
  std::size_t throw_after = 0;   ///< steps until on_step throws, as if the process died; 0: never
  bool finish_in_pause = false;  ///< whether a paused run is asked to finish
};

/// Thrown by RecordingObserver.
struct Death {};

/// To train with an observer that hears everything and may stop the run; a network needs
/// `train_network` too.
TrainRequest tiny_request(const std::filesystem::path& data, const std::filesystem::path& out,
                          const Config& config, RecordingObserver& observer, bool resume = false);

/// The bytes of OUT/model.safetensors.
std::string weights_of(const std::filesystem::path& out);

}  // namespace hmtc
