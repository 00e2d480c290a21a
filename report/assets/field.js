// Draws a field for charts.js; report/gnuplot/field.cpp draws the same.
"use strict";
const viridis = ["#440154", "#481a6c", "#472f7d", "#414487", "#39568c", "#31688e", "#2a788e", "#23888e", "#1f988b",
  "#22a884", "#35b779", "#54c568", "#7ad151", "#a5db36", "#d2e21b", "#fde725"];

/// The values as a picture of one pixel per cell: a browser scales one picture faster than it lays out thousands of cells.
function fieldPicture(chart) {
  const colour = d3.scale.linear().domain(d3.range(viridis.length).map(i => 255 * i / (viridis.length - 1))).range(viridis);
  const shades = d3.range(256).map(value => d3.rgb(colour(value)));
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = chart.side;
  const context = canvas.getContext("2d"), picture = context.createImageData(chart.side, chart.side);
  [...atob(chart.field)].forEach((letter, i) => {
    const { r, g, b } = shades[letter.charCodeAt(0)];
    picture.data.set([r, g, b, 255], 4 * i);
  });
  context.putImageData(picture, 0, 0);
  return canvas.toDataURL();
}

/// The line where the values are one half, as an SVG path. Marching squares: each square between four cell centres gets
/// a segment between the edges on which the sign changes.
function fieldBoundary(chart, size) {
  const values = atob(chart.field), side = chart.side, cell = size / side;
  const above = (row, column) => values.charCodeAt(row * side + column) - 127.5;
  const corners = [[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]];
  let path = "";
  for (let row = 0; row + 1 < side; ++row)
    for (let column = 0; column + 1 < side; ++column) {
      const crossings = [];
      for (let i = 0; i < 4; ++i) {
        const [r, c] = [row + corners[i][0], column + corners[i][1]];
        const [nextR, nextC] = [row + corners[i + 1][0], column + corners[i + 1][1]];
        const from = above(r, c), to = above(nextR, nextC);
        if ((from > 0) === (to > 0)) continue;
        const share = from / (from - to);
        crossings.push([c + 0.5 + share * (nextC - c), r + 0.5 + share * (nextR - r)].map(at => (cell * at).toFixed(1)));
      }
      for (let i = 0; i + 1 < crossings.length; i += 2) path += `M${crossings[i]}L${crossings[i + 1]}`;
    }
  return path;
}

function drawField(box, chart, { canvas, addAxis, tick }) {
  const symbol = (c, area) => d3.svg.symbol().type(c === 0 ? "circle" : "triangle-up").size(area);
  if (chart.classes.some(marked => marked.name)) {
    const legend = box.append("div").attr("class", "legend").selectAll("span").data(chart.classes).enter().append("span");
    legend.append("svg").attr("width", 14).attr("height", 14).attr("aria-hidden", "true").append("path")
      .attr("transform", "translate(7,7)").attr("class", (_, c) => `class-${c}`).attr("d", (_, c) => symbol(c, 36)());
    legend.append("span").text(marked => marked.name);
  }

  const margin = { top: 22, right: 10, bottom: 42, left: 34 };
  const size = Math.min(box.node().clientWidth, 420) - margin.left - margin.right;
  const svg = canvas(box, chart, size + margin.left + margin.right, size + margin.top + margin.bottom, margin);
  const x = d3.scale.linear().domain([-chart.limit, chart.limit]).range([0, size]);
  const y = d3.scale.linear().domain([-chart.limit, chart.limit]).range([size, 0]);
  svg.append("image").attr("width", size).attr("height", size).attr("preserveAspectRatio", "none")
    .attr("xlink:href", fieldPicture(chart));
  svg.append("path").attr("class", "boundary").attr("d", fieldBoundary(chart, size));
  addAxis(svg, x, { orient: "bottom", count: 5, reach: -4, format: tick, place: `translate(0,${size})` });
  addAxis(svg, y, { orient: "left", count: 5, reach: -4, format: tick, place: "" });
  svg.append("text").attr("class", "label").attr("x", size / 2).attr("y", size + 36).attr("text-anchor", "middle")
    .text(chart.x_label);
  svg.append("text").attr("class", "label").attr("x", -margin.left + 4).attr("y", -8).text(chart.y_label);
  chart.classes.forEach((marked, c) => svg.append("g").selectAll("path").data(d3.zip(marked.x, marked.y)).enter()
    .append("path").attr("class", `class-${c}`).attr("d", symbol(c, size / 16)).attr("transform", p => `translate(${x(p[0])},${y(p[1])})`));
}
