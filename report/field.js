// A surface with points of two classes over it, for charts.js; report/gnuplot_field.cpp draws the same.
"use strict";
const viridis = ["#440154", "#481a6c", "#472f7d", "#414487", "#39568c", "#31688e", "#2a788e", "#23888e", "#1f988b",
  "#22a884", "#35b779", "#54c568", "#7ad151", "#a5db36", "#d2e21b", "#fde725"];

/// The values as a picture of one pixel to each: a browser scales one picture faster than it lays out thousands of cells.
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

function drawField(box, chart, { canvas, addAxis, tick }) {
  const symbol = (c, area) => d3.svg.symbol().type(c === 0 ? "circle" : "triangle-up").size(area);
  const legend = box.append("div").attr("class", "legend").selectAll("span").data(chart.classes).enter().append("span");
  legend.append("svg").attr("width", 14).attr("height", 14).attr("aria-hidden", "true").append("path")
    .attr("transform", "translate(7,7)").attr("class", (_, c) => `class-${c}`).attr("d", (_, c) => symbol(c, 36)());
  legend.append("span").text(marked => marked.name);

  const margin = { top: 22, right: 10, bottom: 42, left: 34 };
  const size = Math.min(box.node().clientWidth, 420) - margin.left - margin.right;
  const svg = canvas(box, chart, size + margin.left + margin.right, size + margin.top + margin.bottom, margin);
  const x = d3.scale.linear().domain([-chart.limit, chart.limit]).range([0, size]);
  const y = d3.scale.linear().domain([-chart.limit, chart.limit]).range([size, 0]);
  svg.append("image").attr("width", size).attr("height", size).attr("preserveAspectRatio", "none")
    .attr("xlink:href", fieldPicture(chart)).style("image-rendering", "pixelated");
  addAxis(svg, x, { orient: "bottom", count: 5, reach: -4, format: tick, place: `translate(0,${size})` });
  addAxis(svg, y, { orient: "left", count: 5, reach: -4, format: tick, place: "" });
  svg.append("text").attr("class", "label").attr("x", size / 2).attr("y", size + 36).attr("text-anchor", "middle")
    .text(chart.x_label);
  svg.append("text").attr("class", "label").attr("x", -margin.left + 4).attr("y", -8).text(chart.y_label);
  chart.classes.forEach((marked, c) => svg.append("g").selectAll("path").data(d3.zip(marked.x, marked.y)).enter()
    .append("path").attr("class", `class-${c}`).attr("d", symbol(c, size / 16)).attr("transform", p => `translate(${x(p[0])},${y(p[1])})`));
}
