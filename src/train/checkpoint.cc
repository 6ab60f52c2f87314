#include "train/checkpoint.h"

#include <nlohmann/json.hpp>

#include "artifact/checksum.h"
#include "base/error.h"
#include "base/files.h"

namespace hmtc {
namespace {

using Json = nlohmann::json;

/// Of what a checkpoint holds; another one cannot be resumed.
constexpr const char* kVersion = "2";

Json to_json(const RunState& state) {
  return {{"member", state.member},
          {"refit_steps", state.refit_steps},
          {"step", state.step},
          {"epoch", state.epoch},
          {"batch", state.batch},
          {"validations_without_gain", state.validations_without_gain},
          {"best_score", state.best_score},
          {"best_step", state.best_step},
          {"loss_sum", state.loss_sum},
          {"loss_documents", state.loss_documents}};
}

RunState state_from(const Json& json) {
  RunState state;
  state.member = json.at("member");
  state.refit_steps = json.at("refit_steps");
  state.step = json.at("step");
  state.epoch = json.at("epoch");
  state.batch = json.at("batch");
  state.validations_without_gain = json.at("validations_without_gain");
  state.best_score = json.at("best_score");
  state.best_step = json.at("best_step");
  state.loss_sum = json.at("loss_sum");
  state.loss_documents = json.at("loss_documents");
  return state;
}

/// Over everything but the checksum itself: a flipped bit in a weight would go unseen otherwise.
std::string checksum_of(const TensorFile& file) {
  std::string parts;
  for (const auto& [key, value] : file.metadata) {
    if (key != "sha256") parts += key + "=" + value + "\n";
  }
  for (const auto& [name, tensor] : file.tensors) {
    parts += name + "=" +
             sha256_hex({reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()}) +
             "\n";
  }
  return sha256_hex(parts);
}

}  // namespace

void add_behind_prefix(const TensorFile& from, const std::string& prefix, TensorFile& to) {
  for (const auto& [name, tensor] : from.tensors) to.tensors[prefix + name] = tensor;
}

TensorFile copy_without_prefix(const TensorFile& from, const std::string& prefix) {
  TensorFile found;
  for (const auto& [name, tensor] : from.tensors) {
    if (!name.starts_with(prefix)) continue;
    const std::byte* const bytes = tensor.bytes.data();
    found.tensors[name.substr(prefix.size())] = {
        tensor.type, tensor.shape, std::vector<std::byte>(bytes, bytes + tensor.bytes.size())};
  }
  return found;
}

void save_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint) {
  TensorFile& file = checkpoint.tensors;
  file.metadata = {{"version", kVersion},
                   {"state", to_json(checkpoint.state).dump()},
                   {"config", checkpoint.config},
                   {"fingerprint", checkpoint.fingerprint},
                   {"all_documents", checkpoint.all_documents},
                   {"engine", checkpoint.engine}};
  file.metadata["sha256"] = checksum_of(file);
  write_file_atomically(path, to_bytes(file));
}

std::optional<Checkpoint> load_checkpoint(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  Checkpoint checkpoint;
  try {
    checkpoint.tensors = parse_tensor_file(read_file(path), path.string());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kModel) throw;
    throw Error(error.kind(), std::string(error.what()) + ", or --restart the run");
  }
  auto& metadata = checkpoint.tensors.metadata;
  const auto unusable = [&](const std::string& found) {
    return model_error({path.string()}, {"a checkpoint of this version of hmtc", found,
                                         "start the run again with --restart, or delete the file"});
  };
  if (!metadata.contains("version")) throw unusable("a file without a version");
  if (metadata["version"] != kVersion) throw unusable("one of another version");
  if (metadata["sha256"] != checksum_of(checkpoint.tensors)) throw unusable("a changed file");
  try {
    checkpoint.state = state_from(Json::parse(metadata["state"]));
  } catch (const Json::exception& error) {
    throw unusable(error.what());
  }
  checkpoint.config = metadata["config"];
  checkpoint.fingerprint = metadata["fingerprint"];
  checkpoint.all_documents = metadata["all_documents"];
  checkpoint.engine = metadata["engine"];
  return checkpoint;
}

}  // namespace hmtc
