#include "hmtc/train.h"

#include <algorithm>
#include <cstdlib>

#include "api/boundary.h"
#include "base/error.h"
#include "base/files.h"
#include "data/data_directory_writer.h"
#include "hierarchy/hierarchy_file.h"
#include "network/model_names.h"
#include "text/unicode.h"
#include "train/train.h"
#include "train/trainer_process.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

/// A new folder for temporary files, which goes when this does.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (fs::temp_directory_path() / "hmtc-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw io_error("make", path);
    path_ = path;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Throws kInput for a text that JSON cannot hold.
void require_utf8(const Document& document, const Place& place) {
  const auto check = [&](const std::string& text) {
    if (!first_invalid_utf8(text)) return;
    throw input_error(place, {"UTF-8", "other bytes", "convert the text"});
  };
  if (document.text) check(*document.text);
  if (document.tokens) std::for_each(document.tokens->begin(), document.tokens->end(), check);
  std::for_each(document.labels.begin(), document.labels.end(), check);
  check(document.id);
}

void write_documents(const fs::path& file, const std::vector<Document>& documents) {
  SplitWriter writer(file);
  for (const Document& document : documents) {
    require_utf8(document, {file.filename().string(), writer.count() + 1});
    writer.write(document);
  }
  writer.close();
}

std::string without(const std::string& part, std::string text) {
  for (std::size_t place; (place = text.find(part)) != std::string::npos;) {
    text.erase(place, part.size());
  }
  return text;
}

void write_hierarchy(const fs::path& file, const std::vector<LabelEdge>& edges) {
  std::vector<HierarchyEdge> placed;
  for (const LabelEdge& edge : edges) {
    placed.push_back({edge.label, edge.parent, edge.description, {"hierarchy", placed.size() + 1}});
  }
  write_file_atomically(file, to_tsv(Hierarchy(placed)));
}

void write_data_directory(const fs::path& folder, const TrainingDocuments& documents) {
  if (!documents.hierarchy.empty()) {
    write_hierarchy(folder / "hierarchy.tsv", documents.hierarchy);
  }
  write_documents(folder / "train.jsonl", documents.train);
  if (!documents.validation.empty()) {
    write_documents(folder / "val.jsonl", documents.validation);
  }
}

TrainResult train_on(const fs::path& data, const TrainJob& job) {
  if (!(job.minutes >= 0)) {
    throw Error(ErrorKind::kUsage,
                "minutes: expected a number from 0, found another; 0 is no limit");
  }
  Config config = config_from(job.model, job.config.string(), job.settings);
  require_known_model(config.model.name);
  if (config.model.name != "linear") return train_in_trainer_process(data, job);
  TrainRequest request;
  request.data = data;
  request.out = job.out;
  request.config = std::move(config);
  request.embeddings = job.embeddings.string();
  request.teacher = job.teacher;
  request.resume = job.resume;
  request.restart = job.restart;
  request.observer = job.observer;
  request.stop = job.stop;
  request.minutes = job.minutes;
  return train(request);
}

TrainResult train_on(const TrainingDocuments& documents, const TrainJob& job) {
  const TemporaryFolder folder;
  write_data_directory(folder.path(), documents);
  try {
    return train_on(folder.path(), job);
  } catch (const Error& error) {
    // The folder is gone when the message is read.
    throw Error(error.kind(), without(folder.path().string() + "/", error.what()));
  }
}

}  // namespace

TrainResult train(const fs::path& data, const TrainJob& job) {
  return at_boundary([&] { return train_on(data, job); });
}

TrainResult train(const TrainingDocuments& documents, const TrainJob& job) {
  return at_boundary([&] { return train_on(documents, job); });
}

}  // namespace hmtc
