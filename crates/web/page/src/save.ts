// What is drawn, as SVG and CSV.

function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Saves a drawing as it looks now; its colours do not hang on the page. */
export function svg(name: string, drawing: SVGElement): void {
  const copy = drawing.cloneNode(true) as SVGElement;
  const style = getComputedStyle(drawing);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("style", `color:${style.color};background:${getComputedStyle(document.body).backgroundColor};font:12px sans-serif`);
  download(`${name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(copy));
}

export function csv(name: string, rows: (string | number | boolean | null)[][]): void {
  const cell = (value: string | number | boolean | null) => {
    const text = value === null ? "" : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  download(`${name}.csv`, "text/csv", rows.map((row) => row.map(cell).join(",")).join("\n") + "\n");
}
