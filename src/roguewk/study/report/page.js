// The page: every section from its data.

function placeOf(name) {
  return document.querySelector(`#${name} .place`);
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const shared = { hidden: new Set(), listeners: [], tell: () => shared.listeners.forEach((each) => each()) };
  earned(placeOf("earned"), data, shared);
  differences(placeOf("differences"), data, shared);
  spending(placeOf("spending"), data, shared);
  distribution(placeOf("distribution"), data, shared);
  if (data.layouts.length) heatMap(placeOf("heat"), data);
  singleRuns(placeOf("game"), data);
  document.querySelectorAll("table[data-sortable]").forEach(sortable);
  document.querySelectorAll("main > section > .scroll").forEach(hintAtMore);
  document.documentElement.dataset.ready = "yes";
}

start();
