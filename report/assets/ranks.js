// Draws a critical difference diagram for charts.js. report/charts/ranks.hpp describes the layout;
// report/gnuplot/ranks.cpp draws the same.
"use strict";
function drawRanks(box, chart, { canvas, short, charWidth }) {
  const full = box.node().clientWidth, width = Math.min(full, 760);
  const longest = Math.max(4, Math.floor((width < 480 ? 0.3 : 0.25) * width / charWidth) - 6);
  const name = leader => short(leader.name, longest);
  const side = 26 + charWidth * (6 + d3.max(chart.leaders, leader => [...name(leader)].length));
  const axisDown = 62, barStep = 12, nameStep = 22;
  const namesDown = axisDown + 12 + barStep * (chart.levels + 1);
  const height = namesDown + nameStep * Math.ceil(chart.leaders.length / 2);
  const svg = canvas(box, chart, width, height, { left: 0, top: 0 });
  const x = d3.scale.linear().domain([1, Math.max(2, chart.methods)]).range([side, width - side]);

  const line = (parent, x1, y1, x2, y2) =>
    parent.append("line").attr("x1", x1).attr("y1", y1).attr("x2", x2).attr("y2", y2);
  const text = (words, at, down, anchor) =>
    svg.append("text").attr("x", at).attr("y", down).attr("dy", "0.35em").attr("text-anchor", anchor).text(words);

  const far = Math.min(x(1 + chart.critical), width - 4), words = `critical distance ${chart.critical.toFixed(2)}`;
  const measure = svg.append("g").attr("class", "measure");
  line(measure, x(1), 14, far, 14);
  for (const end of [x(1), far]) line(measure, end, 10, end, 18);
  const outside = far + 8 + charWidth * words.length < width;
  text(words, outside ? far + 8 : (x(1) + far) / 2, outside ? 14 : 28, outside ? "start" : "middle");

  const axis = svg.append("g").attr("class", "leader");
  line(axis, x(1), axisDown, x(chart.methods), axisDown);
  for (const rank of d3.range(1, chart.methods + 1)) {
    line(axis, x(rank), axisDown - 5, x(rank), axisDown);
    text(rank, x(rank), axisDown - 14, "middle");
  }
  for (const leader of chart.leaders) {
    const at = x(leader.rank), down = namesDown + nameStep * leader.level;
    const end = leader.left ? side - 10 : width - side + 10, rank = leader.shown;
    line(axis, at, axisDown, at, down);
    line(axis, at, down, end, down);
    text(leader.left ? `${name(leader)}  ${rank}` : `${rank}  ${name(leader)}`, leader.left ? end - 5 : end + 5, down,
      leader.left ? "end" : "start").append("title").text(`${leader.name}: ${rank}`);
  }
  const groups = svg.append("g").attr("class", "group");
  for (const group of chart.groups) {
    const down = axisDown + barStep * (group.level + 1);
    line(groups, x(group.low) - 4, down, x(group.high) + 4, down);
  }
}
