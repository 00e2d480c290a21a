#pragma once
// The demonstration: the paper's illustrative example, one network of 100 units grown on 200 points of two classes in
// the plane and measured with its first 1, 2, ... 100 units.
//
//   const Demo demo = grow_demo(seed, workers);
//   write(demo_page(demo, gnuplot).html());
//   write(gnuplot->draw(demo_row(demo), Format::png));

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accrete/config/parameter.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/experiment/plane.hpp"
#include "report/charts/chart.hpp"
#include "report/pages/page.hpp"

namespace accrete::report {

/// Lists over units hold the value for 1 unit first.
struct Demo {
  using Plane = experiment::Plane;
  static constexpr std::array<std::size_t, 7> table_units{1, 2, 3, 4, 10, 50, 100};
  static constexpr std::size_t panel_side = 180;  ///< cells along an axis of a panel
  static constexpr std::size_t dial_side = 60;    ///< cells along an axis of a surface shown with the slider

  std::vector<config::Setting> settings;   ///< overrides of the preset "paper"
  std::array<ClassPoints, 2> classes;      ///< training points
  double limit = 0.0;                      ///< both axes go from -limit to limit
  double bayes = 0.0;                      ///< accuracy of the Bayes rule on the test rows
  std::vector<double> accuracy = {};       ///< on the test rows, by units
  std::vector<double> training_loss = {};  ///< mean log loss, by units
  std::vector<double> test_loss = {};      ///< mean log loss, by units

  /// Probabilities of class 2 at the cell centres, top row first.
  std::array<std::vector<double>, Plane::panel_units.size()> panels = {};  ///< with Plane::panel_units units
  std::vector<std::vector<double>> dial = {};                              ///< by units

  double accuracy_with(std::size_t units) const { return accuracy[units - 1]; }
};

Demo grow_demo(std::uint64_t seed, core::Workers& workers);

/// The page: panels at five sizes, a slider over all sizes, accuracy and loss over units.
Page demo_page(const Demo& demo, std::optional<Gnuplot> gnuplot);

/// The five panels as one figure.
FieldRow demo_row(const Demo& demo);

}  // namespace accrete::report
