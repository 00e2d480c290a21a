#include "accrete/io/model_file.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "tests/io/patched_model.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::io::model_file_test {
namespace {

TEST(ModelFile, RoundTripsEveryTask) {
  for (const model::Model& model : {small_model(), binary_model(), multiclass_model(), empty_model(), binned_model()}) {
    const std::string bytes = serialise(model);
    const model::Model again = parse_model(bytes, path);
    expect_same(again, model);
    EXPECT_EQ(serialise(again), bytes);
    EXPECT_EQ(serialise(model), bytes);
  }
}

TEST(ModelFile, RoundTripsThroughAFile) {
  const auto file = std::filesystem::temp_directory_path() / "accrete_model_file_test.safetensors";
  save_model(multiclass_model(), file.string());
  expect_same(load_model(file.string()), multiclass_model());
  std::filesystem::resize_file(file, 5);
  EXPECT_THROW(load_model(file.string()), core::FileError);
  std::ofstream(file) << "age,weight\n1,2\n";
  EXPECT_THROW(load_model(file.string()), core::FileError);
  std::filesystem::remove(file);
  EXPECT_THROW(load_model(file.string()), core::FileError);
  EXPECT_THROW(load_model(std::filesystem::temp_directory_path().string()), core::FileError);
}

TEST(ModelFile, AlignsTensorsAndStartsWithTheChecksum) {
  const std::string bytes = serialise(binary_model());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(bytes.find("{\"__metadata__\":{\"checksum\":\""), 8u);
  EXPECT_EQ(with_checksum(bytes), bytes);
  const Json header = open(bytes).header;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const std::size_t begin = entry["data_offsets"][0];
    EXPECT_EQ(begin % (entry["dtype"] == "F32" ? 4 : 8), 0u) << name;
  }
}

TEST(ModelFile, RejectsWritingAnInconsistentModel) {
  const auto refused = [](auto spoil) {
    model::Model model = binary_model();
    spoil(model);
    EXPECT_THROW(serialise(model), core::DataError);
  };
  refused([](auto& m) { m.classes.pop_back(); });
  refused([](auto& m) { m.loss = loss::Loss::named("squared"); });
  refused([](auto& m) { m.encoder = data::Encoder(); });
  refused([](auto& m) { m.classes[0] = "\xff\xfe"; });
  refused([](auto& m) { m.target_scale = {0.0}; });
  refused([](auto& m) { m.network = network::Network(); });
}

TEST(ModelFile, RejectsEveryTruncation) {
  const std::string bytes = serialise(small_model());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_REFUSED(std::string_view(bytes).substr(0, length), "truncated");
  EXPECT_REFUSED(bytes + '\0', "1 bytes after");
}

TEST(ModelFile, RejectsEveryFlippedBit) {
  std::string bytes = serialise(small_model());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const char mask = static_cast<char>(1 << bit % 8);
    bytes[bit / 8] ^= mask;
    EXPECT_NE(refusal(bytes), "") << "bit " << bit;
    bytes[bit / 8] ^= mask;
  }
  const std::size_t last = bytes.size() - 1;
  bytes[last] ^= 1;
  EXPECT_EQ(refusal(bytes), path + ": damaged (checksum mismatch)");
}

TEST(ModelFile, DistinguishesNewerAndForeignFiles) {
  const auto with_metadata = [](const char* key, const char* value) {
    return patched([&](Json& header, std::string&) { header["__metadata__"][key] = value; });
  };
  EXPECT_EQ(refusal(with_metadata("format_version", "1")), "");
  EXPECT_EQ(refusal(with_metadata("format_version", "3")),
            path + ": written by a newer accrete (format 3; this version reads up to 2)");
  EXPECT_REFUSED(with_metadata("format_version", "0"), "no format version");
  EXPECT_REFUSED(with_metadata("format_version", "1 "), "no format version");
  EXPECT_EQ(refusal(with_metadata("format", "pt")), path + ": not an accrete model");
  EXPECT_REFUSED(with_metadata("task", "binary"), "two ways");
  const std::string foreign = R"({"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})";
  EXPECT_EQ(refusal(assemble(foreign, "abcd")), path + ": not an accrete model");
  EXPECT_REFUSED("a,b,c,target\n1,2,3,4\n", "not an accrete model");
}

TEST(ModelFile, IgnoresUnknownEntries) {
  EXPECT_EQ(refusal(patched([](Json& header, std::string&) { header["__metadata__"]["note"] = "mine"; })), "");
  EXPECT_EQ(refusal(redescribed([](Json& document) { document["note"] = 1; })), "");
}

TEST(ModelFile, RejectsInconsistentShapes) {
  const auto reshaped = [](const char* tensor, std::vector<std::uint64_t> shape) {
    return patched([&](Json& header, std::string&) { header[tensor]["shape"] = shape; });
  };
  EXPECT_REFUSED(reshaped("hidden.weight", {2, 3}), "'hidden.weight' is 2 x 3");
  EXPECT_REFUSED(reshaped("hidden.weight", {6}), "2 dimensions");
  EXPECT_REFUSED(reshaped("hidden.weight", {3, 3}), "disagree");
  EXPECT_REFUSED(reshaped("hidden.weight", {std::uint64_t{1} << 62, 4}), "too large");
  EXPECT_REFUSED(reshaped("output.prefix_bias", {1, 3}), "'output.prefix_bias' is 1 x 3");
  EXPECT_REFUSED(patched([](Json& header, std::string&) { header["hidden.bias"]["dtype"] = "I32"; }), "not F32");
  EXPECT_REFUSED(patched([](Json& header, std::string&) { header["hidden.bias"]["dtype"] = "F31"; }), "dtype");
  EXPECT_REFUSED(redescribed([](Json& d) { d["units"] = 4; }), "expected");
  EXPECT_REFUSED(redescribed([](Json& d) { d["features"] = 1; }), "expected");
  EXPECT_REFUSED(redescribed([](Json& d) { d["outputs"] = 2; }), "expected");
  EXPECT_REFUSED(redescribed([](Json& d) { d["inputs"].erase(0); }), "expected");
  EXPECT_REFUSED(redescribed([](Json& d) { d["inputs"][0]["indicator"] = true; }), "features");
}

TEST(ModelFile, RejectsTensorsThatOverlapOrLeaveGaps) {
  const auto moved = [](const char* tensor, std::uint64_t begin, std::uint64_t end) {
    return patched([&](Json& header, std::string&) { header[tensor]["data_offsets"] = {begin, end}; });
  };
  const Json header = open(serialise(small_model())).header;
  const std::uint64_t begin = header["input.mean"]["data_offsets"][0];
  EXPECT_REFUSED(moved("input.mean", begin - 8, begin + 8), "overlaps");
  EXPECT_REFUSED(moved("input.mean", begin + 8, begin), "not a begin and an end");
  EXPECT_REFUSED(moved("input.mean", begin + (1u << 20), begin + (1u << 20) + 16), "truncated");
  EXPECT_REFUSED(moved("input.mean", ~std::uint64_t{15}, ~std::uint64_t{0}), "disagree");
  EXPECT_REFUSED(moved("input.mean", ~std::uint64_t{0} - 16, ~std::uint64_t{0}), "truncated");
  EXPECT_REFUSED(patched([](Json& h, std::string&) { h.erase("input.mean"); }), "overlaps another or leaves a gap");
  EXPECT_REFUSED(patched([](Json& h, std::string&) {
                   h["input.mean"]["data_offsets"] = {-16, 0};
                 }),
                 "non-negative integers");
  EXPECT_REFUSED(patched([](Json&, std::string& data) { data += "12345678"; }), "8 bytes after");
}

TEST(ModelFile, RejectsInvalidNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_REFUSED(with_number("hidden.weight", 1, static_cast<float>(nan)), "not finite");
  EXPECT_REFUSED(with_number("output.weight", 0, static_cast<float>(infinity)), "not finite");
  EXPECT_REFUSED(with_number("output.prefix_bias", 0, nan), "not finite");
  EXPECT_REFUSED(with_number("input.scale", 1, 0.0), "scale");
  EXPECT_REFUSED(with_number("input.mean", 1, nan), "mean");
  EXPECT_REFUSED(with_number("target.scale", 0, -1.0), "scale");
  EXPECT_REFUSED(with_number("step_ends", 0, std::int64_t{-1}), "step ends");
  EXPECT_REFUSED(with_number("step_ends", 1, std::int64_t{4}), "step ends");
}

TEST(ModelFile, OmitsBinTensorsWithoutBins) {
  EXPECT_EQ(serialise(small_model()).find("bin"), std::string::npos);
  EXPECT_NE(serialise(binned_model()).find("input.bin_mean"), std::string::npos);
}

TEST(ModelFile, RoundTripsFormats) {
  const auto round_trip = [](const data::TextFormat& format) {
    model::Model model = small_model();
    auto inputs = model.encoder.inputs();
    inputs[0].format = format;
    model.encoder = data::Encoder(inputs);
    const data::TextFormat read = parse_model(serialise(model), path).encoder.inputs()[0].format;
    EXPECT_EQ(read, format);
  };
  round_trip({.decimal = ',', .thousands = ".", .prefix = "$", .suffix = "%", .others_missing = true});
  round_trip({.missing = {"-", "-999"}});
  for (const auto order : {data::DateOrder::ymd, data::DateOrder::dmy, data::DateOrder::mdy})
    for (const auto part : {data::DatePart::days, data::DatePart::weekday, data::DatePart::hour})
      round_trip({.order = order, .part = part, .column = "when"});
}

TEST(ModelFile, RejectsInvalidFormats) {
  const auto with_format = [](const Json& format) {
    return redescribed([&](Json& document) { document["inputs"][0]["format"] = format; });
  };
  EXPECT_EQ(refusal(with_format({{"decimal", ","}})), "");
  EXPECT_REFUSED(with_format({{"decimal", "x"}}), "'decimal' of a format");
  EXPECT_REFUSED(with_format({{"prefix", 1}}), "'prefix' of a format");
  EXPECT_REFUSED(with_format({{"date", "ydm"}, {"column", "a"}}), "'date' of a format");
  EXPECT_REFUSED(with_format({{"date", "ymd"}}), "'column' of a format");
  EXPECT_REFUSED(with_format({{"colour", "red"}}), "'colour' of a format");
  EXPECT_REFUSED(with_format(Json("plain")), "'format' of a format");
}

TEST(ModelFile, RejectsInvalidBins) {
  const model::Model model = binned_model();
  const auto bins = [&](const Json& value) {
    return redescribed([&](Json& d) { d["inputs"][1]["bins"] = value; }, model);
  };
  EXPECT_EQ(refusal(bins(3)), "");
  EXPECT_REFUSED(bins(4), "'input.bin_mean' is 3; expected 4");
  EXPECT_REFUSED(bins(2), "expected");
  for (const Json& bad : {Json(0), Json(1), Json(257), Json(~std::uint64_t{0}), Json(-3), Json(2.5), Json("3")})
    EXPECT_REFUSED(bins(bad), "'bins' is");
  EXPECT_REFUSED(redescribed([](Json& d) { d["inputs"][1].erase("bins"); }, model), "features");
  const auto as_text = [](Json& d) {
    d["inputs"][1]["kind"] = "text", d["inputs"][1]["levels"] = {"a", "b", "c", "d"};
  };
  EXPECT_NE(refusal(redescribed(as_text, model)), "");
  const auto renamed = [&](const char* tensor) {
    return patched([&](Json& h, std::string&) { h["x"] = h[tensor], h.erase(tensor); }, model);
  };
  for (const char* tensor : {"input.knot", "input.bin_mean", "input.bin_scale"})
    EXPECT_REFUSED(renamed(tensor), "missing");
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {infinity, nan, -2.0f, -3.0f})
    EXPECT_REFUSED(with_number("input.knot", 2, bad, model), "knots");
  for (const double bad : {0.0, -1.0, double{nan}, double{infinity}, 1e-320})
    EXPECT_REFUSED(with_number("input.bin_scale", 0, bad, model), "mean or scale");
  for (const double bad : {double{nan}, double{infinity}, 1e300})
    EXPECT_REFUSED(with_number("input.bin_mean", 2, bad, model), "mean or scale");
}

TEST(ModelFile, RejectsUnknownNames) {
  EXPECT_REFUSED(redescribed([](Json& d) { d["loss"]["name"] = "cub\ned"; }), "unknown loss 'cub\\ned'");
  EXPECT_REFUSED(redescribed([](Json& d) { d["activation"] = std::string(5000, 'a'); }), "unknown activation");
  EXPECT_REFUSED(redescribed([](Json& d) { d["task"] = "ranking"; }), "ranking");
  EXPECT_REFUSED(redescribed([](Json& d) { d["inputs"][0]["kind"] = "date"; }), "'date'");
  EXPECT_REFUSED(redescribed([](Json& d) { d["loss"]["name"] = "softmax"; }), "does not fit");
  EXPECT_REFUSED(redescribed([](Json& d) { d["classes"] = {"a", "b"}; }), "2 classes");
  EXPECT_REFUSED(redescribed([](Json& d) { d["targets"] = {"y", "z"}; }), "2 targets");
  EXPECT_REFUSED(redescribed([](Json& d) { d["data_fingerprint"] = "xyz"; }), "data_fingerprint");
}

TEST(ModelFile, RejectsFieldsThatAreMissingOrOfAnotherType) {
  const Json header = open(serialise(small_model())).header;
  const Json document = Json::parse(header["__metadata__"]["model"].get<std::string>());
  for (const auto& [key, value] : document.items()) {
    EXPECT_REFUSED(redescribed([&](Json& d) { d.erase(key); }), "missing");
    for (const Json& other : {Json(nullptr), Json(-1), Json(0.5), Json({{{"a", 1}}}), Json(Json::array({7}))})
      EXPECT_NE(refusal(redescribed([&](Json& d) { d[key] = other; })), "") << key << " = " << other.dump();
  }
  for (const auto& [key, value] : header.items())
    for (const Json& other : {Json(nullptr), Json(-1), Json("text"), Json::object(), Json::array()})
      EXPECT_NE(refusal(patched([&](Json& h, std::string&) { h[key] = other; })), "") << key << " = " << other.dump();
}

TEST(ModelFile, RejectsMaliciousHeaders) {
  std::string bytes = serialise(small_model());
  bytes.replace(0, 8, std::string("\0\0\0\0\0\0\0\x80", 8));
  EXPECT_REFUSED(bytes, "not an accrete model");
  bytes.replace(0, 8, std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8));
  EXPECT_REFUSED(bytes, "not an accrete model");
  std::string nested = "{\"a\":" + std::string(5'000'000, '[');
  EXPECT_REFUSED(assemble(nested, ""), "nested too deeply");
  std::string twice = R"({"__metadata__":{"format":"accrete","format":"accrete"}})";
  EXPECT_REFUSED(assemble(twice, ""), "duplicate key");
  EXPECT_REFUSED(assemble("{\"a\":1e999}", ""), "not valid JSON");
  EXPECT_REFUSED(assemble("{\"a\":\"\xff\"}", ""), "not valid JSON");
  EXPECT_REFUSED(assemble("{}", ""), "not an accrete model");
}

TEST(ModelFile, RejectsRandomBytes) {
  core::Rng rng(1, 0, core::Purpose::generator);
  const std::string model = serialise(small_model());
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes(rng.below(300), '\0');
    for (char& byte : bytes) byte = static_cast<char>(rng.below(256));
    EXPECT_NE(refusal(bytes), "");
    // The same noise inside a real file with a valid checksum: a model or a clean error.
    std::string noisy = model;
    for (int i = 0; i < 3; ++i) noisy[44 + rng.below(noisy.size() - 44)] = static_cast<char>(rng.below(256));
    refusal(with_checksum(noisy));
  }
}

}  // namespace
}  // namespace accrete::io::model_file_test
