#include "accrete/io/model_file/plain.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/io/patched_model.hpp"
#include "tests/model/plain_models.hpp"

namespace accrete::io::model_plain_test {
namespace {

using model::plain_network;
using model::voting_model;

TEST(PlainModelFile, RoundTrips) {
  for (const model::Model& model : {plain_network(), voting_model()}) {
    const std::string bytes = serialise(model);
    const model::Model again = parse_model(bytes, path);
    expect_same(again, model);
    EXPECT_EQ(again.method, model.method);
    EXPECT_EQ(again.members, model.members);
    EXPECT_EQ(serialise(again), bytes);
  }
}

TEST(PlainModelFile, UsesAFormatThatOlderReadersReject) {
  EXPECT_EQ(open(serialise(plain_network())).header["__metadata__"]["format_version"], "2");
  EXPECT_EQ(open(serialise(small_model())).header["__metadata__"]["format_version"], "1")
      << "older readers accept a grown model";
}

TEST(PlainModelFile, StoresLayersAsPlainTensors) {
  const Json header = open(serialise(voting_model())).header;
  EXPECT_EQ(header["layer0.weight"]["shape"], Json({3, 3, 1}));
  EXPECT_EQ(header["layer0.bias"]["shape"], Json({3, 3}));
  EXPECT_EQ(header["member.weight"]["dtype"], "F64");
  const Json deep = open(serialise(plain_network())).header;
  EXPECT_EQ(deep["layer2.weight"]["shape"], Json({1, 1, 2}));
}

TEST(PlainModelFile, RejectsAnUnknownMethod) {
  EXPECT_EQ(refusal(redescribed([](Json& d) { d["method"] = "forest"; }, plain_network())),
            path + ": made by the unknown method 'forest'; this version knows boosting, network, adaboost");
}

TEST(PlainModelFile, RejectsDescriptionsThatContradictTheTensors) {
  const auto refused = [](const std::function<void(Json&)>& change) {
    EXPECT_NE(refusal(redescribed(change, plain_network())), "");
  };
  refused([](Json& d) { d["method"] = "boosting"; });
  refused([](Json& d) {
    d.erase("method");
    d["units"] = 4;
  });
  refused([](Json& d) { d["method"] = 3; });
  refused([](Json& d) { d.erase("widths"); });
  refused([](Json& d) { d.erase("members"); });
  refused([](Json& d) { d["members"] = 0; });
  refused([](Json& d) { d["members"] = 2; });
  refused([](Json& d) { d["members"] = std::uint64_t{1} << 63; });
  for (const Json& widths :
       {Json{1, 2, 1}, Json{1, 2, 2, 2}, Json{2, 2, 2, 1}, Json{1, 0, 2, 1}, Json{1, 2, -2, 1}, Json{1, 2, 2, 1, 1},
        Json{1}, Json::array(), Json("1,2"), Json{1, std::uint64_t{1} << 63, std::uint64_t{1} << 63, 1}})
    refused([&](Json& d) { d["widths"] = widths; });
}

TEST(PlainModelFile, RejectsInvalidNumbers) {
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_REFUSED(with_number("layer1.weight", 2, infinite, plain_network()), "not finite");
  EXPECT_REFUSED(with_number("layer0.bias", 0, infinite, plain_network()), "not finite");
  for (const double vote : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_REFUSED(with_number("member.weight", 1, vote, voting_model()), "vote");
}

TEST(PlainModelFile, RejectsWritingAnInconsistentModel) {
  const auto refused = [](auto spoil) {
    model::Model model = voting_model();
    spoil(model);
    EXPECT_THROW(serialise(model), core::DataError);
  };
  refused([](auto& m) { m.members.clear(); });
  refused([](auto& m) { m.method = model::Method::network; });
  refused([](auto& m) { m.method = model::Method::boosting; });
  refused([](auto& m) { m.members[1].network.parameters.pop_back(); });
  refused([](auto& m) { m.members[1] = plain_network().members[0]; });
  refused([](auto& m) { m.members[0].network.activation = activation::Activation::named("tanh"); });
}

TEST(PlainModelFile, RejectsEveryTruncationAndFlippedBit) {
  std::string bytes = serialise(voting_model());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(refusal(std::string_view(bytes).substr(0, length)), "") << length;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] ^= 1;
    EXPECT_NE(refusal(bytes), "") << i;
    bytes[i] ^= 1;
  }
}

}  // namespace
}  // namespace accrete::io::model_plain_test
