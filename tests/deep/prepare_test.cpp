#include "accrete/deep/prepare.hpp"

#include <algorithm>
#include <limits>

#include "tests/deep/sample.hpp"

namespace accrete::deep::prepare_test {
namespace {

constexpr float gap = std::numeric_limits<float>::quiet_NaN();

/// Numbers with and without gaps, one far from 0, one constant; text with and without gaps.
data::Table odd_table() {
  data::Table table;
  table.source = "odd";
  const auto number = [](std::string name, std::vector<float> values) {
    data::Column column;
    column.name = std::move(name);
    column.numbers = std::move(values);
    return column;
  };
  const auto text = [](std::string name, std::vector<std::int32_t> codes, std::vector<std::string> levels) {
    data::Column column;
    column.name = std::move(name);
    column.kind = data::Column::Kind::text;
    column.codes = std::move(codes);
    column.levels = std::move(levels);
    return column;
  };
  table.columns = {number("plain", {1, 2, 3, 4, 5, 6}),
                   text("colour", {0, 1, 2, 0, 1, 0}, {"red", "green", "blue"}),
                   number("gaps", {1, gap, -3, 8, gap, 2}),
                   number("far", {100000.0f, 100000.25f, 100000.5f, 100000.125f, 100000.75f, 100000.0f}),
                   number("constant", {4, 4, 4, 4, 4, 4}),
                   text("holes", {0, -1, 1, 1, -1, 0}, {"a", "b"})};
  return table;
}

/// Inputs as dataset.hpp defines them. The encoder sorts levels in another order.
torch::Tensor raw(const data::Table& table, const data::Encoder& encoder) {
  const auto rows = static_cast<std::int64_t>(table.rows()), columns = static_cast<std::int64_t>(table.columns.size());
  torch::Tensor values = torch::empty({rows, columns});
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto& column = table.columns[static_cast<std::size_t>(c)];
      const auto& levels = encoder.inputs()[static_cast<std::size_t>(c)].levels;
      const auto row = static_cast<std::size_t>(r);
      if (column.kind == data::Column::Kind::numeric)
        values[r][c] = column.numbers[row];
      else if (column.codes[row] < 0)
        values[r][c] = gap;
      else
        values[r][c] =
            std::ranges::find(levels, column.levels[static_cast<std::size_t>(column.codes[row])]) - levels.begin();
    }
  return values;
}

void expect_same_as_encoder(const data::Table& table, const data::Encoder& encoder) {
  Inputs inputs;
  inputs.encoder = encoder;
  const torch::Tensor given = prepare_module(inputs).forward({raw(table, encoder)}).toTensor();
  const core::TiledMatrix expected = encoder.encode(table);
  ASSERT_EQ(given.sizes(), (std::vector<std::int64_t>{6, static_cast<std::int64_t>(encoder.features())}));
  ASSERT_EQ(given.scalar_type(), torch::kFloat32);
  for (std::size_t r = 0; r < table.rows(); ++r)
    for (std::size_t f = 0; f < encoder.features(); ++f) {
      const float value = given[static_cast<std::int64_t>(r)][static_cast<std::int64_t>(f)].item<float>();
      EXPECT_NEAR(value, expected.at(r, f), 1e-5 * (1.0 + std::abs(value)))
          << encoder.feature_names()[f] << " row " << r;
    }
}

TEST(Prepare, TableEqualsEncoder) {
  const data::Table table = odd_table();
  expect_same_as_encoder(table, deep_test::fit_encoder(table));
}

TEST(Prepare, BinsEqualEncoder) {
  const data::Table table = odd_table();
  expect_same_as_encoder(table, deep_test::fit_encoder(table, {.bins = 3}));
}

TEST(Prepare, MapsAnUnknownLevelToNoLevel) {
  const data::Table table = odd_table();
  Inputs inputs;
  inputs.encoder = deep_test::fit_encoder(table);
  torch::Tensor rows = raw(table, inputs.encoder).slice(0, 0, 2);
  rows[0][1] = -1.0;
  rows[1][1] = 7.0;
  const torch::Tensor given = prepare_module(inputs).forward({rows}).toTensor();
  EXPECT_TRUE(torch::equal(given[0].slice(0, 1, 4), given[1].slice(0, 1, 4)));
  EXPECT_LT(given[0].slice(0, 1, 4).max().item<float>(), 0.0f);
}

TEST(Prepare, DividesPixelsBy255) {
  const deep::Signature signature = deep_test::images_signature(1, 8, 3);
  const torch::Tensor bytes = torch::randint(0, 256, {2, 1, 8, 8}, torch::kUInt8);
  auto module = prepare_module(signature.inputs);
  const torch::Tensor given = module.forward({bytes}).toTensor();
  EXPECT_EQ(given.scalar_type(), torch::kFloat32);
  EXPECT_TRUE(torch::allclose(given, bytes.to(torch::kFloat32) / 255.0));
  EXPECT_TRUE(torch::equal(given, module.forward({bytes.to(torch::kFloat32)}).toTensor()));
}

}  // namespace
}  // namespace accrete::deep::prepare_test
