#pragma once
// The page's style and script, apart from the code that fills the page.

namespace accrete::cli {

inline constexpr const char* demo_style = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c2024; --muted: #57606a; --faint: #dde1e6; --panel: #f5f7f9;
  --accent: #1f778e; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e8eaed; --muted: #a3adb8; --faint: #333a42; --panel: #1d2226; --accent: #4fc3d9; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 2.2rem 1.2rem 4rem; }
h1 { font-size: clamp(1.7rem, 5vw, 2.4rem); line-height: 1.15; letter-spacing: -.02em; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 3rem 0 .8rem; }
p { max-width: 44rem; margin: 0 0 1rem; }
.note { color: var(--muted); font-size: .92rem; }
svg { display: block; width: 100%; height: auto; }
.row { display: grid; grid-template-columns: repeat(5, 1fr); gap: 1.2rem .6rem; margin: 1.8rem 0 1rem; padding: 0; }
.row figure { margin: 0; }
figcaption { text-align: center; line-height: 1.35; }
figcaption b { display: block; }
figcaption span { color: var(--muted); font-size: .92rem; }
.key { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1.8rem; font-size: .92rem; }
.key > span { white-space: nowrap; display: inline-flex; align-items: center; gap: .5rem; }
.key svg { width: 26px; flex: none; }
.bar { width: 7rem; height: .85rem; border: 1px solid var(--muted); }
.two { display: grid; grid-template-columns: minmax(0, 21rem) minmax(0, 32rem); gap: 2rem 3rem; align-items: start; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .34rem .2rem; border-bottom: 1px solid var(--faint); text-align: right; font-weight: 400; }
thead th { color: var(--muted); font-size: .92rem; }
tfoot th, tfoot td { border-bottom: 0; font-weight: 600; }
th:first-child { text-align: left; }
.dial { display: grid; grid-template-columns: minmax(0, 26rem) minmax(0, 24rem); gap: 1rem 3rem; align-items: center; }

.dial label { display: block; font-weight: 600; }
.dial input { width: 100%; margin: 1rem 0; accent-color: var(--accent); height: 1.6rem; }
.dial output { display: block; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
pre { background: var(--panel); border: 1px solid var(--faint); border-radius: 6px; padding: .9rem 1rem; overflow-x: auto;
  font: .88rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; max-width: 50rem; }
@media (max-width: 900px) { .row { grid-template-columns: repeat(3, 1fr); } }
@media (max-width: 760px) { .two, .dial { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 560px) { .row { grid-template-columns: repeat(2, 1fr); } body { font-size: 16px; }
  .row figure:last-child { grid-column: span 2; } pre { white-space: pre-wrap; overflow-wrap: anywhere; } }
)css";

/// Without it the dial stays hidden. Frames: one [picture, boundary, accuracy] for each number of units.
inline constexpr const char* demo_script = R"js(
const frames = JSON.parse(document.getElementById("frames").textContent);
const dial = document.getElementById("dial");
const part = name => dial.querySelector(name);
function turn() {
  const units = Number(part("input").value), [picture, boundary, accuracy] = frames[units - 1];
  part("image").setAttribute("href", picture);
  part("path").setAttribute("d", boundary);
  part("output").textContent = units + (units === 1 ? " unit" : " units") + ": accuracy " + accuracy;
}
part("input").addEventListener("input", turn);
turn();
document.getElementById("dial-part").hidden = false;
)js";

}  // namespace accrete::cli
