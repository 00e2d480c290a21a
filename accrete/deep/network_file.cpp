#include "accrete/deep/network_file.hpp"

#include <torch/script.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/deep/checksum.hpp"
#include "accrete/deep/signature_json.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/io/strict_json.hpp"

namespace accrete::deep {
namespace {

using Json = nlohmann::json;

constexpr const char* entry = "accrete.json";
constexpr int version = 1;

/// Over all weights, because libtorch does not verify the file's own checksums.
std::uint32_t checksum(const torch::jit::Module& module) {
  std::uint32_t sum = 0;
  for (const torch::Tensor& tensor : module.parameters()) sum = add_checksum(sum, tensor);
  for (const torch::Tensor& tensor : module.buffers()) sum = add_checksum(sum, tensor);
  return sum;
}

/// Reports a missing or non-zip file in one line, because libtorch's own message fills a page.
void check_readable(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char start[2] = {};
  if (!file || !file.read(start, 2)) {
    const std::string why = file.is_open() && file.eof() ? "it is empty" : std::generic_category().message(errno);
    throw core::FileError("cannot read '" + path + "': " + why);
  }
  if (start[0] != 'P' || start[1] != 'K')
    throw core::FileError("'" + path + "' is not a TorchScript file (torch.jit.script(model).save(...) writes one)");
}

torch::jit::Module load_module(const std::string& path, torch::jit::ExtraFilesMap& extra) {
  check_readable(path);
  try {
    return torch::jit::load(path, torch::kCPU, extra);
  } catch (const std::exception&) {
    throw core::FileError("'" + path +
                          "' is damaged, or is not a TorchScript file (torch.jit.script(model).save(...) writes one)");
  }
}

bool is_from_accrete(const torch::jit::Module& module) {
  return module.type()->name() && module.type()->name()->qualifiedName().starts_with("__torch__.accrete.");
}

void read_record(const std::string& text, TorchNetwork& network) {
  const Json json = io::parse_strict<Json>(text, entry);
  if (!json.is_object() || !json.contains("version") || !json.contains("purpose") || !json.contains("record") ||
      !json.contains("checksum"))
    throw core::FileError("damaged (accrete.json is incomplete)");
  if (json["version"] != version) throw core::FileError("written by a version of accrete that uses another format");
  if (json["checksum"] != checksum(network.module))
    throw core::FileError("damaged (the weights do not match their checksum)");
  network.signature = read_signature(json["purpose"]);
  network.record = json["record"];
}

}  // namespace

void save_network(const TorchNetwork& network, const std::string& path) {
  Json json{{"version", version}, {"record", network.record}, {"checksum", checksum(network.module)}};
  if (!network.signature) throw core::UsageError("a network without a signature cannot be saved");
  json["purpose"] = signature_json(*network.signature);
  io::AtomicFile file(path);
  std::ostringstream bytes;
  // A class may be named after a folder, whose name may contain arbitrary bytes.
  network.module.save(bytes, {{entry, json.dump(-1, ' ', false, Json::error_handler_t::replace)}});
  file.write(bytes.str());
  file.commit();
}

TorchNetwork load_network(const std::string& path) {
  torch::jit::ExtraFilesMap extra{{entry, ""}};
  TorchNetwork network{load_module(path, extra), std::nullopt, Json::object()};
  network.module.eval();
  if (extra[entry].empty() && !is_from_accrete(network.module)) return network;
  try {
    if (extra[entry].empty())
      throw core::FileError(
          "saved again without accrete.json, which describes its inputs and outputs; pass it to torch.jit.save as "
          "_extra_files");
    read_record(extra[entry], network);
  } catch (const core::FileError& error) {
    throw core::FileError("'" + path + "': " + error.what());
  }
  return network;
}

}  // namespace accrete::deep
