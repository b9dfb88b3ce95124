"use strict";
// Tables sort by the buttons in their heads; drawings can be had as files; players can be looked up.

const NS = "http://www.w3.org/2000/svg";

function make(tag, attributes = {}, ...inside) {
  const node = tag === "svg" || ["path", "line", "text"].includes(tag) ? document.createElementNS(NS, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...inside);
  return node;
}

// ---- tables

function value(cell) {
  if (!cell.classList.contains("n")) return cell.textContent.trim();
  return parseFloat(cell.textContent.replace(/,/g, "").replace(/−/g, "-"));
}

function compared(a, b) {
  return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
}

function sort(table, column, descending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, key: value(row.cells[column]) }));
  const none = (key) => key === "" || Number.isNaN(key); // last, whichever way
  rows.sort((a, b) => none(a.key) - none(b.key) || (none(a.key) ? 0 : (descending ? -1 : 1) * compared(a.key, b.key)));
  body.append(...rows.map((each) => each.row));
  [...table.tHead.rows[0].cells].forEach((head, n) => {
    if (n === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
}

function sortable(table) {
  if (!table.tHead || table.tBodies[0].rows.length < 2 || table.classList.contains("matrix")) return;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = make("button", { type: "button" }, head.textContent);
    button.addEventListener("click", () => sort(table, column, head.getAttribute("aria-sort") === "ascending"));
    head.replaceChildren(button);
  });
}

// ---- drawings

function save(name) {
  const drawing = document.getElementById(name).querySelector("svg").cloneNode(true);
  drawing.setAttribute("xmlns", NS);
  const text = new XMLSerializer().serializeToString(drawing).replace(/var\(--c-[0-9a-f]+, (#[0-9a-f]+)\)/g, "$1");
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  make("a", { href: address, download: `${name}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// ---- players

function history(text) {
  if (!text) return [];
  const [first, ...steps] = text.split(" ");
  let rating = 0;
  return steps.map((step, n) => [Number(first) + n, step === "x" ? null : (rating += Number(step))]);
}

function moment(day, days) {
  return days ? `day ${Math.round(day).toLocaleString("en")}` : new Date(day * 864e5).toISOString().slice(0, 10);
}

function steps(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, n) => (first + n) * step);
}

function chart(stream, player, width) {
  const lines = player[4].map(history);
  const points = lines.flat().filter(([, rating]) => rating !== null);
  if (points.length < 2) return null;
  const ratings = points.map(([, rating]) => rating), begin = Math.min(...points.map(([n]) => n));
  const times = stream.times, height = Math.min(260, Math.max(180, 0.45 * width));
  const low = Math.min(...ratings), high = Math.max(...ratings, low + 1);
  const left = 8 + 7 * Math.max(...[low, high].map((each) => String(Math.round(each)).length)), bottom = height - 24;
  const span = Math.max(times[times.length - 1] - times[begin], 1);
  const x = (n) => left + ((times[n] - times[begin]) / span) * (width - left - 6);
  const y = (rating) => 10 + ((high - rating) / (high - low)) * (bottom - 20);
  const name = `Ratings of ${player[0]} over time by ${stream.runs.join(", ")}`;
  const drawing = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  for (const rating of steps(low, high, 5)) {
    drawing.append(make("line", { x1: left, x2: width - 6, y1: y(rating), y2: y(rating) }));
    drawing.append(make("text", { x: left - 6, y: y(rating) + 4, "text-anchor": "end" }, String(Math.round(rating)).replace("-", "−")));
  }
  drawing.append(make("text", { x: left, y: height - 6 }, moment(times[begin], stream.days)));
  drawing.append(make("text", { x: width - 6, y: height - 6, "text-anchor": "end" }, moment(times[times.length - 1], stream.days)));
  lines.forEach((line, k) => {
    let pen = "M";
    const path = line.map(([n, rating]) => {
      if (rating === null) { pen = "M"; return ""; }
      const part = `${pen}${x(n).toFixed(1)} ${y(rating).toFixed(1)}`;
      pen = "L";
      return part;
    });
    drawing.append(make("path", { class: `c${k}`, d: path.join("") }));
  });
  return make("div", { class: "chart" }, drawing);
}

function about(stream, player, width) {
  const sure = player[3].some((each) => each !== null);
  const number = (each) => (each === null ? "–" : each.toLocaleString("en", { minimumFractionDigits: 1 }).replace("-", "−"));
  const head = make("tr", {}, ...["run", "rating at the end", ...(sure ? ["deviation"] : [])].map((title, n) =>
    make("th", { scope: "col", ...(n ? { class: "n" } : {}) }, title)));
  const rows = stream.runs.map((run, k) => {
    const swatch = make("svg", { class: "swatch", viewBox: "0 0 24 8", "aria-hidden": "true" }, make("path", { class: `c${k}`, d: "M0 4H24" }));
    return make("tr", {}, make("th", { scope: "row" }, swatch, run), make("td", { class: "n" }, number(player[2][k])),
      ...(sure ? [make("td", { class: "n" }, number(player[3][k]))] : []));
  });
  const caption = `${player[0]}, ${stream.name}: ${player[1] === null ? "–" : player[1].toLocaleString("en")} games`;
  const table = make("table", {}, make("caption", {}, make("span", {}, caption)), make("thead", {}, head), make("tbody", {}, ...rows));
  sortable(table);
  return [make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption }, table),
    chart(stream, player, width) || make("p", { class: "soft" }, "The page has no history of this player.")];
}

function lookUp(streams, input, found) {
  const asked = input.value.trim().toLowerCase();
  const width = Math.min(found.clientWidth || 640, 768);
  const named = (test) => streams.flatMap((stream) => stream.players.filter((player) => test(player[0].toLowerCase())).map((player) => [stream, player]));
  if (!asked) return found.replaceChildren();
  let hits = named((name) => name === asked);
  if (!hits.length) {
    const near = named((name) => name.includes(asked)), names = [...new Set(near.map(([, player]) => player[0]))];
    if (names.length !== 1) {
      const some = names.slice(0, 12).join(", ") + (names.length > 12 ? ", …" : "");
      return found.replaceChildren(make("p", {}, names.length ? `${names.length.toLocaleString("en")} names have that: ${some}` : "No player here has that in the name."));
    }
    hits = near;
  }
  found.replaceChildren(...hits.flatMap(([stream, player]) => about(stream, player, width)));
}

function players() {
  const data = document.getElementById("look-data");
  if (!data) return;
  const streams = JSON.parse(data.textContent);
  const input = document.getElementById("look-name"), found = document.getElementById("look-found");
  document.querySelector(".ask").hidden = false;
  document.querySelector(".plain").hidden = true;
  const look = () => lookUp(streams, input, found);
  let width = window.innerWidth;
  input.addEventListener("input", look);
  window.addEventListener("resize", () => { if (window.innerWidth !== width) { width = window.innerWidth; look(); } });
  look();
}

document.querySelectorAll("table").forEach(sortable);
document.querySelectorAll("[data-svg]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => save(button.dataset.svg));
});
players();
