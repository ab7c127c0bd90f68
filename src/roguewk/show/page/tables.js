// Tables whose headings are buttons that sort.

function valueOf(cell) {
  const words = cell.textContent.replace("−", "-").replace(/^< /, "");
  const parsed = parseFloat(words);
  return Number.isFinite(parsed) ? parsed : -Infinity;
}

// Says that a table goes on to the right, where it does.
function hintAtMore(box) {
  const hint = make("p", { class: "soft", hidden: true }, "The table goes on to the right.");
  box.before(hint);
  const sync = () => (hint.hidden = box.scrollWidth <= box.clientWidth + 1);
  new ResizeObserver(sync).observe(box);
  sync();
}

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = make("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    const numeric = head.classList.contains("n");
    button.addEventListener("click", () => {
      const down =
        head.getAttribute("aria-sort") === "descending" || (!numeric && head.getAttribute("aria-sort") !== "ascending");
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "ascending" : "descending");
      const keyed = [...body.rows].map((row) => [
        numeric ? valueOf(row.cells[column]) : row.cells[column].textContent,
        row,
      ]);
      const compare = numeric
        ? ([one], [other]) => one - other || 0
        : ([one], [other]) => one.localeCompare(other, "en", { numeric: true });
      keyed.sort((one, other) => (down ? compare(one, other) : compare(other, one)));
      body.append(...keyed.map(([, row]) => row));
    });
  });
}
