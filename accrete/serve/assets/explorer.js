// The explorer page: a form made from a model's columns, its prediction as you type, and the dial.
"use strict";
(() => {
  const find = id => document.getElementById(id);
  const slider = find("units"), form = find("columns"), models = find("model");
  let card = null, token = "", timer = 0, asked = 0;

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function complain(text) {
    find("problem").textContent = text;
    find("problem").hidden = !text;
    document.querySelector(".explorer section").classList.toggle("stale", Boolean(text));
  }

  async function ask(path, body) {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const reply = await fetch(path, body === undefined ? { headers } : { method: "POST", headers, body });
    const json = await reply.json();
    if (!reply.ok) throw Object.assign(new Error(json.error), { status: reply.status });
    return json;
  }

  const path = ({ name, version }) =>
    `/v2/models/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  const short = x => accrete.number(x);

  /// A field of the form. Empty means missing.
  function field(column, index) {
    const id = `column-${index}`, label = element("label", { for: id }, column.name);
    let input;
    if (column.levels && column.level_count === column.levels.length) {
      input = element("select", { id }, element("option", { value: "" }, "(missing)"),
        ...column.levels.map(level => element("option", { value: level }, level)));
      input.value = column.levels[0] ?? "";
    } else {
      input = element("input", { id, autocomplete: "off", inputmode: column.kind === "number" ? "decimal" : "text" });
      if (column.kind === "number") input.value = Number(column.mean.toPrecision(4));
      if (column.kind === "offset") input.value = 0;
      if (column.kind === "date") input.value = "2024-01-31";
      input.placeholder = "missing";
    }
    return element("div", {}, label, input);
  }

  const inputs = () => card.columns.map((_, index) => find(`column-${index}`));
  const isNumber = column => column.kind === "number" || column.kind === "offset";

  /// The row of the form as tensors, or nothing if a value is invalid.
  function tensors() {
    const wrong = [];
    const list = inputs().map((input, index) => {
      const column = card.columns[index], text = input.value.trim();
      const invalid = isNumber(column) && text !== "" && !Number.isFinite(Number(text));
      input.setAttribute("aria-invalid", invalid);
      if (invalid) wrong.push(`${column.name}: '${text}' is not a number`);
      const value = text === "" ? null : isNumber(column) ? Number(text) : text;
      return { name: column.name, shape: [1], datatype: isNumber(column) ? "FP64" : "BYTES", data: [value] };
    });
    complain(wrong.join("; "));
    return wrong.length ? null : list;
  }

  const units = () => card.unit_choices[Number(slider.value) - 1];
  const hasDial = () => card.unit_choices.length > 0;

  async function predict() {
    const list = tensors();
    if (!list) return;
    const mine = ++asked, shown = card;
    const names = card.classes.length ? ["label", "probabilities"] : ["prediction"];
    if (card.coverage > 0) names.push(card.classes.length ? "set" : "interval");
    if (hasDial()) names.push("contributions", "baseline");
    const request = { inputs: list, outputs: names.map(name => ({ name })) };
    if (hasDial()) request.parameters = { units: units() };
    try {
      const reply = await ask(`${path(card)}/infer`, JSON.stringify(request));
      if (mine === asked && shown === card) show(reply);
    } catch (error) {
      if (mine === asked) complain(error.message);
    }
  }

  function show(reply) {
    complain("");
    const output = Object.fromEntries(reply.outputs.map(tensor => [tensor.name, tensor.data]));
    const values = output.probabilities ?? output.prediction;
    const single = !card.classes.length && values.length === 1;
    const words = reply.parameters.units === 1 ? "1 unit" : `${reply.parameters.units} units`;
    find("prediction").replaceChildren(output.label?.[0] ?? (single ? short(values[0]) : ""),
      element("small", {}, `${card.targets.join(", ")}, with ${words}`));
    if (output.interval)
      find("prediction").append(element("small", {}, `${short(output.interval[0])} to ${short(output.interval[1])} ` +
        `with probability ${card.coverage}`));
    if (output.set)
      find("prediction").append(element("small", {}, `with probability ${card.coverage} one of: ` +
        card.classes.filter((_, k) => output.set[k]).join(", ")));
    find("probabilities").replaceChildren(...(single ? [] : values.map((value, k) => element("tr", {},
      element("th", { scope: "row" }, card.classes[k] ?? card.predictions[k]),
      element("td", { class: "number" }, card.classes.length ? value.toFixed(4) : short(value)),
      element("td", {}, card.classes.length ? bar(value) : "")))));
    if (output.contributions) drawContributions(output, values);
  }

  function bar(share) {
    const made = element("div", { class: "bar" });
    made.style.width = `${100 * share}%`;
    return made;
  }

  /// The largest contributions to the score of the predicted class.
  function drawContributions(output, values) {
    const outputs = output.baseline.length, columns = output.contributions.length / outputs, shown = 12;
    const k = outputs === 1 ? 0 : Math.max(0, values.indexOf(Math.max(...values)));
    const of = outputs === 1 && card.classes.length === 2 ? card.classes[1] : card.predictions[k] ?? "";
    const all = d3.range(columns).map(c => ({ name: card.columns[c].name, value: output.contributions[c * outputs + k] }))
      .sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, shown);
    accrete.charts.contributions = { title: "Contributions",
      x: { label: `added to the score of ${of} (baseline ${short(output.baseline[k])})` },
      y: { label: "", categories: all.map(c => c.name), category_height: 24 },
      series: [{ mark: "bars", name: "", x: all.map(c => c.value), y: d3.range(all.length), colour: 0, width: 0.8 }] };
    accrete.draw("contributions");
  }

  function drawCurve() {
    const line = (name, key, colour) => {
      const points = card.curve.filter(point => point[key] !== undefined);
      return { mark: "line", name, x: points.map(p => p.units), y: points.map(p => p[key]), colour };
    };
    const series = [line("training rows", "train_loss", 6)];
    if (card.curve.some(point => point.validation_loss !== undefined))
      series.unshift(line("held-out rows", "validation_loss", 0));
    accrete.charts.curve = { title: "Loss over units", x: { label: "units used" }, y: { label: `${card.loss} loss` },
      series, here: units() };
    accrete.draw("curve");
  }

  function moveDial() {
    const words = units() === 1 ? "1 unit" : `${units()} units`;
    slider.setAttribute("aria-valuetext", words);
    find("dial").querySelector("output").textContent = `${words} of ${card.units}`;
    if (card.curve.length > 1) drawCurve();
  }

  function showCard() {
    find("title").textContent = card.name;
    document.title = `${card.name} - accrete`;
    const facts = [["version", card.version], ["task", card.task], ["target", card.targets.join(", ")],
      ["classes", card.classes.join(", ")], ["method", card.method], ["units", `${card.units} (${card.activation})`],
      ["loss", card.loss], ["columns", card.columns.length], ["trained on", `${card.training_rows} rows`],
      ["made by", `accrete ${card.made_by}`]];
    find("facts").tBodies[0].replaceChildren(...facts.filter(([, value]) => value !== "").map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, String(value)))));
  }

  async function open(chosen) {
    card = await ask(`${path(chosen)}/card`);
    delete accrete.charts.curve;
    delete accrete.charts.contributions;
    form.replaceChildren(...card.columns.map(field));
    find("explorer").hidden = false;
    find("dial").hidden = !hasDial();
    find("contributions").hidden = !hasDial();
    find("curve").hidden = card.curve.length < 2;
    slider.max = Math.max(1, card.unit_choices.length);
    slider.value = slider.max;  // all units; a value above max is cut, so max comes first
    showCard();
    if (hasDial()) moveDial();
    await predict();
  }

  const guarded = work => work().catch(error => {
    find("login").hidden = error.status !== 401;
    complain(error.message);
  });

  const start = () => guarded(async () => {
    const list = await ask("/v2/repository/index", "{}");
    find("login").hidden = true;
    complain("");
    models.replaceChildren(...list.map((model, index) =>
      element("option", { value: index }, `${model.name}, version ${model.version}`)));
    models.onchange = () => guarded(() => open(list[Number(models.value)]));
    await open(list[0]);
  });

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(predict, 60);
  };
  form.addEventListener("input", soon);
  form.addEventListener("submit", event => event.preventDefault());
  slider.addEventListener("input", () => {
    moveDial();
    soon();
  });
  find("login").addEventListener("submit", event => {
    event.preventDefault();
    token = find("token").value;
    start();
  });
  start();
})();
