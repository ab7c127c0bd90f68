// The page: every section from its data.

function placeOf(name) {
  return document.querySelector(`#${name} .place`);
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  curves(placeOf("curves"), data);
  worksAgain(placeOf("again"), data);
  against(placeOf("against"), data);
  checks(placeOf("checks"), data);
  if (data.places.length) simulated(placeOf("simulated"), data);
  document.querySelectorAll("table[data-sortable]").forEach(sortable);
  document.querySelectorAll("main > section > .scroll").forEach(hintAtMore);
  document.documentElement.dataset.ready = "yes";
}

start();
