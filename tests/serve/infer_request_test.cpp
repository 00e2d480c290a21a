#include "accrete/serve/infer_request.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "accrete/serve/request_error.hpp"

namespace accrete::serve::infer_request_test {
namespace {

InferRequest parse(const std::string& body, std::optional<std::size_t> json_size = {}) {
  return parse_infer_request(body, json_size, {.max_rows = 10});
}

std::string refusal(const std::string& body, std::optional<std::size_t> json_size = {}) {
  try {
    parse(body, json_size);
  } catch (const RequestError& error) {
    return std::to_string(error.status()) + " " + error.what();
  }
  return "accepted";
}

TEST(InferRequest, ReadsTensorsInAnyOrderOfKeys) {
  const InferRequest request = parse(R"({"inputs": [
    {"data": [[1, null], [-2.5, 4]], "shape": [2, 2], "datatype": "FP32", "name": "x"},
    {"name": "t", "datatype": "BYTES", "shape": [3], "data": [null, "a", ""]}],
    "outputs": [{"name": "label", "parameters": {"binary_data": true}}], "id": "7",
    "parameters": {"units": 30, "note": "n", "on": false}})");
  ASSERT_EQ(request.inputs.size(), 2u);
  const Tensor& numbers = request.inputs[0];
  EXPECT_EQ(numbers.shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(numbers.numbers[0], 1.0);
  EXPECT_TRUE(std::isnan(numbers.numbers[1]));
  EXPECT_EQ(numbers.numbers[2], -2.5);
  const Tensor& texts = request.inputs[1];
  EXPECT_EQ(texts.texts, (std::vector<std::optional<std::string>>{std::nullopt, "a", ""}));
  EXPECT_EQ(request.id, "7");
  EXPECT_EQ(request.units(), 30u);
  EXPECT_TRUE(request.is_binary(&request.outputs[0]));
  EXPECT_FALSE(request.is_binary(nullptr));
}

TEST(InferRequest, ReadsBinaryTensorsAfterTheJson) {
  const std::string json = R"({"inputs": [
    {"name": "a", "shape": [2], "datatype": "INT16", "parameters": {"binary_data_size": 4}},
    {"name": "b", "shape": [1], "datatype": "FP32", "data": [5]},
    {"name": "c", "shape": [2], "datatype": "BYTES", "parameters": {"binary_data_size": 10}},
    {"name": "d", "shape": [3], "datatype": "FP16", "parameters": {"binary_data_size": 6}}]})";
  const std::string tail("\x01\x00\xff\xff\x02\0\0\0hi\0\0\0\0\x00\x3c\x00\xc0\x01\x00", 20);
  const InferRequest request = parse(json + tail, json.size());
  EXPECT_EQ(request.inputs[0].numbers, (std::vector<double>{1, -1}));
  EXPECT_EQ(request.inputs[1].numbers, std::vector<double>{5});
  EXPECT_EQ(request.inputs[2].texts, (std::vector<std::optional<std::string>>{"hi", ""}));
  EXPECT_EQ(request.inputs[3].numbers, (std::vector<double>{1.0, -2.0, std::ldexp(1.0, -24)}));
}

TEST(InferRequest, RefusesTooManyRowsWithTheirOwnStatus) {
  EXPECT_EQ(refusal(R"({"inputs": [{"name": "a", "shape": [11], "datatype": "FP32", "data": [1]}]})"),
            "413 input 'a': 11 rows; at most 10 are allowed");
}

TEST(InferRequest, RefusesAKeyThatJoinsTwo) {
  EXPECT_EQ(refusal(R"({"id, parameters": 1})"),
            "400 the request: unknown key 'id, parameters'; known: id, parameters, inputs, outputs; did you mean "
            "'parameters'?");
  EXPECT_EQ(refusal(R"({"inputs": [{"shape, datatype": 1}]})").substr(0, 43),
            "400 input 1: unknown key 'shape, datatype';");
}

TEST(InferRequest, ReadsWholeNumbersUpToTheLastOfTheirDatatype) {
  const auto read = [](const std::string& datatype, const std::string& number) {
    return refusal(R"({"inputs": [{"name": "a", "shape": [1], "datatype": ")" + datatype + R"(", "data": [)" + number +
                   "]}]}");
  };
  EXPECT_EQ(read("INT64", "9223372036854775807"), "accepted");
  EXPECT_EQ(read("INT64", "-9223372036854775808"), "accepted");
  EXPECT_EQ(read("UINT64", "18446744073709551615"), "accepted");
  EXPECT_EQ(read("INT32", "2147483647"), "accepted");
  EXPECT_EQ(read("INT64", "9223372036854779904"), "400 input 'a': 9.22337203685478e+18 is not of datatype INT64");
  EXPECT_EQ(read("INT32", "2147483648"), "400 input 'a': 2147483648 is not of datatype INT32");
  EXPECT_EQ(read("UINT64", "-1"), "400 input 'a': -1 is not of datatype UINT64");
}

TEST(InferRequest, EveryPrefixAndEveryChangedByteIsRefusedOrReadWithoutHarm) {
  const std::string body =
      R"({"id":"1","parameters":{"units":3},"inputs":[{"name":"a","shape":[2,1],"datatype":"FP32",)"
      R"("parameters":{},"data":[[1],[null]]},{"name":"t","shape":[1],"datatype":"BYTES","data":["x"]}],)"
      R"("outputs":[{"name":"label"}]})";
  ASSERT_EQ(refusal(body), "accepted");
  for (std::size_t size = 0; size < body.size(); ++size)
    EXPECT_EQ(refusal(body.substr(0, size)).substr(0, 3), "400") << size;
  for (std::size_t at = 0; at < body.size(); ++at)
    for (const char c : std::string("\0\"{}[],:-1e\\\xff", 13)) {
      std::string changed = body;
      changed[at] = c;
      refusal(changed);  // no crash, and no exception but RequestError
    }
}

TEST(InferRequest, MillionsOfTextsStopAtTheLimit) {
  std::string body = R"({"inputs": [{"name": "a", "shape": [1], "datatype": "BYTES", "data": [)";
  for (int i = 0; i < 1000; ++i) body += "\"\",";
  EXPECT_EQ(refusal(body + "\"\"]}]}"), "413 input 'a': more than 10 rows");
}

TEST(RequestError, IsOneShortLineWhateverTheClientSent) {
  EXPECT_STREQ(RequestError("unknown key 'a\nb\x7f'").what(), "unknown key 'a\\nb\\x7f'");
  std::string long_text = "x";
  for (int i = 0; i < 5'000; ++i) long_text += "\u00e9";
  const std::string cut = RequestError(404, long_text).what();
  EXPECT_LE(cut.size(), 1'003u);
  EXPECT_TRUE(cut.ends_with("\u00e9...")) << "cut between two characters";
  EXPECT_EQ(RequestError(404, "").status(), 404);
}

}  // namespace
}  // namespace accrete::serve::infer_request_test
