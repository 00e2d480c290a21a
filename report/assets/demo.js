// The slider of the demo's page: shows the network at one of the sizes in the JSON "sizes", which report/demo/page.cpp
// writes, and marks that size in the curves.
"use strict";
(() => {
  const sizes = JSON.parse(document.getElementById("sizes").textContent);
  const dial = document.getElementById("dial"), slider = dial.querySelector("input");
  const title = document.querySelector("#surface figcaption b");

  function move() {
    const units = Number(slider.value), size = sizes[units - 1];
    const words = units === 1 ? "1 unit" : `${units} units`;
    title.textContent = words;
    slider.setAttribute("aria-valuetext", words);
    dial.querySelector("output").textContent = `${words}: accuracy ${size.accuracy}`;
    accrete.charts.surface.field = size.field;
    accrete.charts.surface.title = words;
    for (const id of ["accuracy", "loss"]) accrete.charts[id].here = units;
    for (const id of ["surface", "accuracy", "loss"]) accrete.draw(id);
  }

  slider.addEventListener("input", move);
  dial.hidden = false;
  move();
})();
