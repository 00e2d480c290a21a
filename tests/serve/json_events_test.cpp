#include "accrete/serve/json_events.hpp"

#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "accrete/serve/request_error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::serve::json_events_test {
namespace {

/// The events as one text.
class Record final : public JsonEvents {
 public:
  std::string text;

  void null() override { text += "null;"; }
  void boolean(bool value) override { text += value ? "true;" : "false;"; }
  void number_integer(std::int64_t value) override { text += fmt::format("{};", value); }
  void number_unsigned(std::uint64_t value) override { text += fmt::format("{};", value); }
  void decimals(std::span<const double> values) override {
    for (const double value : values) {
      if (std::isinf(value)) throw RequestError("too large");
      text += fmt::format("{:a};", value);
    }
  }
  void string(std::string_view value) override { text += fmt::format("'{}';", value); }
  void start_object() override { text += "{"; }
  void key(std::string_view name) override { text += fmt::format("'{}':", name); }
  void end_object() override { text += "}"; }
  void start_array() override { text += "["; }
  void end_array() override { text += "]"; }
};

/// The same by another parser, which is slow.
class Reference final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Record record;

  bool null() override { return record.null(), true; }
  bool boolean(bool value) override { return record.boolean(value), true; }
  bool number_integer(std::int64_t value) override { return record.number_integer(value), true; }
  bool number_unsigned(std::uint64_t value) override { return record.number_unsigned(value), true; }
  bool number_float(double value, const std::string&) override { return record.decimals({&value, 1}), true; }
  bool string(std::string& value) override { return record.string(value), true; }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return record.start_object(), true; }
  bool key(std::string& name) override { return record.key(name), true; }
  bool end_object() override { return record.end_object(), true; }
  bool start_array(std::size_t) override { return record.start_array(), true; }
  bool end_array() override { return record.end_array(), true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
};

std::string read(const std::string& json) {
  Record record;
  try {
    read_json(json, record);
  } catch (const RequestError&) {
    return "refused";
  }
  return record.text;
}

std::string read_by_reference(const std::string& json) {
  Reference reference;
  auto* events = static_cast<nlohmann::json_sax<nlohmann::json>*>(&reference);
  return nlohmann::json::sax_parse(json, events) ? reference.record.text : "refused";
}

std::string refusal(const std::string& json) {
  Record record;
  return thrown_message<RequestError>([&] { read_json(json, record); });
}

TEST(JsonEvents, AreThoseOfTheReferenceForTextsWithRandomChanges) {
  const std::vector<std::string> texts{
      R"({"a": [1, -2, 3.5e10, null, true, false, "x\u00e9\n", {"b": {}}], "c": 18446744073709551616, "d": -0, "g": 0.1})",
      R"({"inputs":[{"name":"x","shape":[2,2],"datatype":"FP32","data":[[1,2.25],[3,null]]}]})",
      R"([9223372036854775808, -9223372036854775808, -9223372036854775809, 1e-400, 123456789012345678901234567890])",
      "[[], {}, \"\xc3\xa9\", 0.12345678901234567890123, -12345678901234567890.25]"};
  const std::string alphabet("{}[],:\"\\-+.0123456789eEtrufalsn \n\t/\xffu");
  std::mt19937 random(1);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  std::size_t accepted = 0;
  constexpr std::size_t cases = 20'000;
  for (std::size_t i = 0; i < cases; ++i) {
    std::string text = texts[below(texts.size())];
    for (std::size_t changes = below(4); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = below(text.size());
      const char character = alphabet[below(alphabet.size())];
      switch (below(3)) {
        case 0:
          text[at] = character;
          break;
        case 1:
          text.erase(at, 1 + below(3));
          break;
        default:
          text.insert(at, 1, character);
      }
    }
    const std::string found = read(text);
    accepted += found != "refused";
    const auto first = text.find_first_not_of(" \n\t");
    const bool is_whole = first != text.npos && (text[first] == '{' || text[first] == '[');
    ASSERT_EQ(found, is_whole ? read_by_reference(text) : "refused") << text;
  }
  EXPECT_GT(accepted, cases / 5);
  EXPECT_LT(accepted, cases * 4 / 5);
}

TEST(JsonEvents, HaveEveryDecimalOfALongListInItsPlace) {
  std::string list = "[0.5";
  for (int i = 1; i < 200; ++i) list += i % 70 == 0 ? ", null" : fmt::format(", {}.5", i);
  list += "]";
  EXPECT_EQ(read(list), read_by_reference(list));
}

TEST(JsonEvents, RefuseNumbersThatJsonDoesNotHave) {
  for (const char* number : {".5", "-.5", "01.5", "-01.5", "1.", "-1.", "+1.5", "1.5.5", "0x1.5", "1e", "-", "--1.5"}) {
    EXPECT_EQ(read(fmt::format("[{}]", number)), "refused") << number;
    EXPECT_EQ(read(fmt::format("[{} ]", number)), "refused") << number;
  }
}

TEST(JsonEvents, NameTheByteThatIsNotJson) {
  EXPECT_EQ(refusal(R"({"a": [1, 2 3]})"), "the request is not valid JSON, at byte 12");
  EXPECT_EQ(refusal(R"({"a": 1} {"b": 2})"), "the request is not valid JSON, at byte 9");
  EXPECT_EQ(refusal(R"({"a": 1} x)"), "the request is not valid JSON, at byte 10");
  EXPECT_EQ(refusal(R"({"a": 1)"), "the request is not valid JSON, at byte 7");
  EXPECT_EQ(refusal(""), "the request is not valid JSON in UTF-8");
  EXPECT_EQ(refusal("[\"\xff\"]"), "the request is not valid JSON in UTF-8");
}

}  // namespace
}  // namespace accrete::serve::json_events_test
