// Draws every figure of the page with D3. ranks.js and field.js, which precede it, draw two kinds of charts.
// report/charts/chart.hpp describes the fields of a chart.
//
//   accrete.charts[id]   the chart of the figure with that id; change it, then call accrete.draw(id)
//   chart.here           a vertical line at that x
"use strict";
const accrete = (() => {
  const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1c2024"];
  const shapes = ["circle", "triangle-up", "square", "diamond", "triangle-down"];
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const charWidth = 7;  // of the page's 12 px font, rounded up

  const colour = series => colours[series.colour % colours.length];
  const shape = series => shapes[series.colour % shapes.length];
  const short = (text, max) => [...text].length > max ? [...text].slice(0, max - 1).join("") + "…" : text;
  const number = value => value === null ? "–" : String(+value.toPrecision(4));
  const big = value => Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-4);
  const tick = value => big(value) ? value.toExponential().replace("e+", "e") : number(value);

  function fits(axis, value) {
    return value !== null && Number.isFinite(value) && !(axis.log && value <= 0);
  }

  function points(chart, series) {
    const indices = d3.range(series.x.length).filter(i => fits(chart.x, series.x[i]) && fits(chart.y, series.y[i]));
    return indices.map(i => ({ x: series.x[i], y: series.y[i], low: series.low?.[i], high: series.high?.[i],
      from: series.from?.[i] ?? 0 }));
  }

  /// The scale of an axis for the values drawn along it.
  function scaleOf(axis, values, range) {
    const scale = axis.log ? d3.scale.log() : d3.scale.linear();
    let [low, high] = d3.extent(values.filter(value => fits(axis, value)));
    if (low === undefined) [low, high] = [axis.log ? 0.1 : 0, 1];
    if (axis.log) [low, high] = low * 2 > high ? [low / 2, high * 2] : [low / 1.1, high * 1.1];
    else if (low === high) [low, high] = [low - 0.5, high + 0.5];
    scale.domain([axis.low ?? low, axis.high ?? high]);
    if (!axis.log && (axis.low === undefined || axis.high === undefined)) scale.nice();
    return scale.range(range);
  }

  function valuesAlong(chart, name) {
    const lying = Boolean(chart.y.categories);
    const spreads = name === (lying ? "x" : "y");
    return d3.merge(chart.series.map(series => d3.merge(points(chart, series).map(p =>
      [p[name], ...(spreads && p.low !== undefined ? [p.low, p.high] : []),
        ...(series.mark === "bars" && spreads ? [p.from] : [])]))));
  }

  function addAxis(svg, scale, options) {
    const axis = d3.svg.axis().scale(scale).orient(options.orient).ticks(options.count)
      .tickFormat(options.format).innerTickSize(-options.reach).outerTickSize(0).tickPadding(6);
    if (options.values) axis.tickValues(options.values);
    svg.append("g").attr("class", "axis").attr("transform", options.place).call(axis);
  }

  /// Powers of ten; over at most two decades also their multiples by 2 and 5.
  function logTicks(scale) {
    const [low, high] = scale.domain(), decades = Math.log10(high / low);
    const every = Math.ceil(decades / 6), first = Math.ceil(Math.log10(low) - 1e-9);
    const powers = d3.range(first, Math.floor(Math.log10(high) + 1e-9) + 1, every).map(e => +`1e${e}`);
    return decades <= 2 ? scale.ticks().filter(t => [1, 2, 5].includes(+t.toExponential()[0])) : powers;
  }

  function drawBars(svg, chart, series, x, y) {
    const lying = Boolean(chart.y.categories), zero = y(0);
    const half = lying ? 0.36 * Math.abs(y(1) - y(0)) : 0.5 * Math.abs(x(series.width) - x(0));
    const bars = svg.append("g").selectAll("rect").data(points(chart, series)).enter();
    bars.append("rect").attr("fill", colour(series)).attr("fill-opacity", series.faint ? 0.25 : 0.85)
      .attr("x", p => lying ? Math.min(x(p.from), x(p.x)) : x(p.x) - half + 0.5)
      .attr("width", p => lying ? Math.abs(x(p.x) - x(p.from)) : Math.max(1, 2 * half - 1))
      .attr("y", p => lying ? y(p.y) - half : Math.min(zero, y(p.y)))
      .attr("height", p => lying ? 2 * half : Math.abs(y(p.y) - zero))
      .append("title").text(p => lying ? `${chart.y.categories[p.y]}: ${number(p.x - p.from)}` : number(p.y));
    if (lying && series.low)
      bars.append("line").attr("class", "whisker").attr("x1", p => x(p.low)).attr("x2", p => x(p.high))
        .attr("y1", p => y(p.y)).attr("y2", p => y(p.y));
  }

  function drawLine(svg, chart, series, x, y) {
    const all = points(chart, series);
    if (series.low)
      svg.append("path").attr("fill", colour(series)).attr("fill-opacity", 0.18)
        .attr("d", d3.svg.area().x(p => x(p.x)).y0(p => y(p.low)).y1(p => y(p.high))(all));
    svg.append("path").attr("class", series.faint ? "faint line" : "line").attr("stroke", colour(series))
      .attr("d", d3.svg.line().x(p => x(p.x)).y(p => y(p.y))(all));
  }

  function drawPoints(svg, chart, series, x, y) {
    const all = points(chart, series);
    const many = d3.sum(chart.series.filter(other => other.mark === "points"), other => other.x.length) > 300;
    const size = series.size ?? (many ? 14 : 42);
    if (series.low)
      svg.append("g").selectAll("line").data(all).enter().append("line").attr("class", "whisker")
        .attr("x1", p => x(p.x)).attr("x2", p => x(p.x)).attr("y1", p => y(p.low)).attr("y2", p => y(p.high));
    svg.append("g").selectAll("path").data(all).enter().append("path")
      .attr("class", "point").attr("fill", colour(series)).attr("fill-opacity", many ? 0.55 : 0.9)
      .attr("transform", p => `translate(${x(p.x)},${y(p.y)})`)
      .attr("d", d3.svg.symbol().type(shape(series)).size(size))
      .append("title").text(p => chart.y.categories ? `${chart.y.categories[Math.round(p.y)]}: ${number(p.x)}`
        : `${chart.x.label} ${number(p.x)}, ${chart.y.label} ${number(p.y)}`);
  }

  function drawLegend(box, chart) {
    const named = chart.series.filter(series => series.name);
    if (named.length === 0) return;
    const entries = box.append("div").attr("class", "legend").selectAll("span").data(named).enter().append("span");
    const marks = entries.append("svg").attr("width", 22).attr("height", 14).attr("aria-hidden", "true");
    marks.each(function (series) {
      const mark = d3.select(this);
      if (series.mark === "line")
        mark.append("path").attr("class", series.faint ? "faint line" : "line").attr("stroke", colour(series))
          .attr("d", "M1,7H21");
      else if (series.mark === "bars")
        mark.append("rect").attr("fill", colour(series)).attr("fill-opacity", series.faint ? 0.25 : 0.85)
          .attr("x", 4).attr("y", 1).attr("width", 14).attr("height", 12);
      else
        mark.append("path").attr("class", "point").attr("fill", colour(series)).attr("transform", "translate(11,7)")
          .attr("d", d3.svg.symbol().type(shape(series)).size(52));
    });
    entries.append("span").text(series => series.name);
  }

  /// An svg element; returns a group shifted by the margins.
  function canvas(box, chart, width, height, margin) {
    return box.append("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img")
      .attr("aria-label", chart.title).attr("width", width).attr("height", height)
      .append("g").attr("transform", `translate(${margin.left},${margin.top})`);
  }

  function drawPlot(box, chart) {
    drawLegend(box, chart);
    const names = chart.y.categories, full = box.node().clientWidth;
    const longest = names ? Math.max(6, Math.floor(0.4 * full / charWidth)) : 0;
    const yValues = valuesAlong(chart, "y");
    const probe = scaleOf(chart.y, yValues, [0, 1]);
    const labels = names ? names.map(name => short(name, longest)) :
      (chart.y.log ? logTicks(probe) : probe.ticks(5)).map(tick);
    const margin = { top: chart.y.label ? 26 : 6, right: 14, bottom: 44, left: 14 + charWidth * d3.max(labels, text => text.length) };
    const available = full - margin.left - margin.right;
    const width = chart.square ? Math.min(available, 420) : available;
    const height = chart.square ? width : names ? chart.y.category_height * names.length : Math.max(180, Math.min(320, 0.6 * width));
    const svg = canvas(box, chart, width + margin.left + margin.right, height + margin.top + margin.bottom, margin);

    const x = scaleOf(chart.x, valuesAlong(chart, "x"), [0, width]);
    const y = names ? d3.scale.linear().domain([-0.5, names.length - 0.5]).range([0, height])
      : scaleOf(chart.y, yValues, [height, 0]);
    addAxis(svg, x, { orient: "bottom", count: Math.max(3, width / 80), reach: height, format: tick,
      place: `translate(0,${height})`, values: chart.x.log ? logTicks(x) : null });
    addAxis(svg, y, { orient: "left", count: 5, reach: names ? 0 : width, place: "",
      format: names ? i => labels[i] : tick, values: names ? d3.range(names.length) : chart.y.log ? logTicks(y) : null });
    svg.append("text").attr("class", "label").attr("x", width / 2).attr("y", height + 38)
      .attr("text-anchor", "middle").text(chart.x.label);
    svg.append("text").attr("class", "label").attr("x", -margin.left + 4).attr("y", -12).text(chart.y.label);

    if (chart.here !== undefined)
      svg.append("line").attr("class", "here").attr("x1", x(chart.here)).attr("x2", x(chart.here))
        .attr("y1", 0).attr("y2", height);
    const draw = { bars: drawBars, line: drawLine, points: drawPoints };
    for (const series of chart.series) draw[series.mark](svg, chart, series, x, y);
  }

  function drawHeatMap(box, chart) {
    const longest = 16, textWidth = names => charWidth * d3.max(names, name => short(name, longest).length);
    const rows = chart.rows.map(name => short(name, longest)), columns = chart.columns.map(name => short(name, longest));
    const turned = textWidth(columns) > 26;
    const margin = { left: 16 + textWidth(rows), right: 12, top: 26,
      bottom: 34 + (turned ? 0.75 * textWidth(columns) : 12) };
    const available = box.node().clientWidth - margin.left - margin.right;
    // A grid that is too wide for the page scrolls, so that its numbers stay readable.
    const digits = d3.max(d3.merge(chart.values), value => number(value).length);
    const cell = Math.max(Math.min(available / columns.length, 96), Math.max(24, 10 + 6.5 * digits));
    const tall = Math.min(cell, columns.length > 12 ? 34 : 56), width = cell * columns.length, height = tall * rows.length;
    const svg = canvas(box, chart, width + margin.left + margin.right, height + margin.top + margin.bottom, margin);
    const shade = d3.scale.linear().domain([0, 1]).range(["#ffffff", "#08457e"]);
    const all = d3.merge(chart.values.map((row, r) => row.map((value, c) =>
      ({ value, r, c, share: d3.sum(row) > 0 ? value / d3.sum(row) : 0 }))));
    const cells = svg.selectAll("g.cell").data(all).enter().append("g").attr("class", "cell")
      .attr("transform", d => `translate(${d.c * cell},${d.r * tall})`);
    cells.append("rect").attr("width", cell).attr("height", tall).attr("fill", d => shade(d.share));
    cells.append("text").attr("x", cell / 2).attr("y", tall / 2).attr("dy", "0.35em").attr("text-anchor", "middle")
      .style("fill", d => d.share > 0.5 ? "#ffffff" : "#1c2024")
      .text(d => d.value === 0 && columns.length > 6 ? "" : number(d.value));
    cells.append("title").text(d => `${chart.row_label} ${chart.rows[d.r]}, ${chart.column_label} ` +
      `${chart.columns[d.c]}: ${number(d.value)} (${(100 * d.share).toFixed(1)} % of the row)`);

    const names = (list, place) => svg.append("g").selectAll("text").data(list).enter().append("text").call(place);
    names(rows, text => text.attr("x", -8).attr("y", (_, r) => (r + 0.5) * tall).attr("dy", "0.35em")
      .attr("text-anchor", "end").text(name => name));
    names(columns, text => text.attr("transform", (_, c) =>
      `translate(${(c + 0.5) * cell},${height + 16})${turned ? " rotate(-45)" : ""}`)
      .attr("text-anchor", turned ? "end" : "middle").text(name => name));
    svg.append("text").attr("class", "label").attr("x", width / 2).attr("y", height + margin.bottom - 6)
      .attr("text-anchor", "middle").text(chart.column_label);
    svg.append("text").attr("class", "label").attr("x", -margin.left + 4).attr("y", -12).text(chart.row_label);
  }

  /// Each kind of chart has a field of its own.
  function drawerOf(chart) {
    return chart.series ? drawPlot : chart.leaders ? drawRanks : chart.field !== undefined ? drawField : drawHeatMap;
  }

  function draw(id) {
    const box = d3.select(document.getElementById(id)).select(".chart");
    const left = box.node().scrollLeft;
    box.node().style.minHeight = `${box.node().offsetHeight}px`;  // keeps the scroll position while redrawing
    box.selectAll("*").remove();
    drawerOf(charts[id])(box, charts[id], { canvas, addAxis, short, tick, charWidth });
    box.node().style.minHeight = "";
    box.node().scrollLeft = left;
  }

  const drawAll = () => Object.keys(charts).forEach(draw);
  drawAll();
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    drawAll();
  });
  return { charts, draw, number };
})();
