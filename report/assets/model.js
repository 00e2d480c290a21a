// The slider of a model's page: shows one of the prefixes in the JSON "model", which report/model/model_report.hpp
// describes.
"use strict";
(() => {
  const model = JSON.parse(document.getElementById("model").textContent);
  const dial = document.getElementById("dial"), slider = dial.querySelector("input");
  const charts = accrete.charts, whole = model.prefixes[model.prefixes.length - 1];
  if (model.prefixes.length === 1) return;  // a single prefix needs no slider

  const percent = i => model.metrics[i] === "accuracy";
  const words = (i, value) => value === null ? "–" :
    percent(i) ? `${(100 * value).toFixed(2)}\u00a0%` : accrete.number(value);
  const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  const rows = [...document.querySelectorAll("#metrics tbody tr")];
  const head = document.querySelector("#metrics thead tr").appendChild(document.createElement("th"));
  head.scope = "col";
  head.className = "number";
  const cells = rows.map(row => row.appendChild(document.createElement("td")));
  cells.forEach(cell => { cell.className = "number"; });

  function moveCurve(prefix) {
    const value = prefix.metrics[model.main], here = charts.curve.series[1];
    here.x = [prefix.units];
    here.y = [percent(model.main) && value !== null ? 100 * value : value];
    here.size = 90;
  }

  function moveCalibration(prefix) {
    const rowsInAll = d3.sum(prefix.calibration, bin => bin[2]), filled = prefix.calibration.filter(bin => bin[2] > 0);
    const [shares, , observed] = charts.calibration.series;
    shares.y = prefix.calibration.map(bin => bin[2] / rowsInAll);
    observed.x = filled.map(bin => bin[0]);
    observed.y = filled.map(bin => bin[1]);
  }

  function move() {
    const prefix = model.prefixes[Number(slider.value)];
    const units = `${prefix.units} of ${plural(whole.units, "unit")}`;
    slider.setAttribute("aria-valuetext", units);
    dial.querySelector("output").textContent =
      `${units}, ${plural(prefix.steps, "step")}: ${rows[model.main].cells[0].textContent} ` +
      words(model.main, prefix.metrics[model.main]);
    head.textContent = `first ${plural(prefix.units, "unit")}`;
    cells.forEach((cell, i) => { cell.textContent = words(i, prefix.metrics[i]); });
    moveCurve(prefix);
    if (prefix.confusion) {
      charts.confusion.values = prefix.confusion;
      moveCalibration(prefix);
    }
    (prefix.predicted || []).forEach((values, t) => { charts[`predicted-${t}`].series[0].y = values; });
    for (const id of ["loss", "steps"]) if (charts[id]) charts[id].here = prefix.units;
    Object.keys(charts).filter(id => id !== "importance").forEach(accrete.draw);
  }

  slider.addEventListener("input", move);
  dial.hidden = false;
  move();
})();
