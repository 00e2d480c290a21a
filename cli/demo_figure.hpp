#pragma once
// The demo's drawings: a panel, the row of panels that becomes demo.png, and the curve of accuracy over units.

#include <array>
#include <string>
#include <vector>

#include "cli/canvas.hpp"
#include "cli/demo_experiment.hpp"

namespace accrete::cli {

/// The two kinds of training points: told apart by shape, by lightness and by colour.
std::array<Marker, 2> class_markers();
Pen boundary_pen();

Picture coloured(const Surface& surface);

/// Where the probability is one half, within the box that the surface fills.
std::vector<Segment> boundary(const Surface& surface, const Box& box);

std::string percent(double share);           ///< "81.5 %"
std::string units_title(std::size_t units);  ///< "1 unit", "2 units"

/// One panel with axes, for the page. The picture is its first <image> and the boundary its first <path>.
Canvas draw_panel(const Experiment& experiment, std::size_t units, const Surface& surface);
/// The box of the surface within draw_panel.
Box panel_box();

Canvas draw_row(const Experiment& experiment);
Canvas draw_curve(const Experiment& experiment);

}  // namespace accrete::cli
