/** The little Markdown our own rules are written in, as HTML. */

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function inline(text: string): string {
  return escape(text)
    .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
    .replace(/\*(.+?)\*/g, "<em>$1</em>")
    .replace(/`(.+?)`/g, "<code>$1</code>");
}

const cells = (row: string) =>
  row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

function table(rows: string[]): string {
  const [head = "", , ...body] = rows;
  const line = (row: string, tag: string) =>
    `<tr>${cells(row)
      .map((cell) => `<${tag}>${inline(cell)}</${tag}>`)
      .join("")}</tr>`;
  const rest = body.map((row) => line(row, "td")).join("");
  return `<div class="scroll" tabindex="0" role="group"><table><thead>${line(head, "th")}</thead><tbody>${rest}</tbody></table></div>`;
}

function list(lines: string[], tag: "ul" | "ol"): string {
  const items = lines.map((line) => `<li>${inline(line.replace(/^(?:[-*]|\d+\.) +/, ""))}</li>`);
  return `<${tag}>${items.join("")}</${tag}>`;
}

/** Headings, paragraphs, flat lists and tables, each kind of block parted by an empty line. */
export function toHtml(markdown: string): string {
  return markdown
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split("\n");
      const first = lines[0]!;
      const heading = /^(#{1,3}) +(.*)$/.exec(first);
      if (heading !== null) {
        const level = heading[1]!.length + 1;
        const rest = lines.slice(1).join("\n");
        return `<h${level}>${inline(heading[2]!)}</h${level}>${rest === "" ? "" : toHtml(rest)}`;
      }
      if (first.startsWith("|")) return table(lines);
      if (/^[-*] /.test(first)) return list(lines, "ul");
      if (/^\d+\. /.test(first)) return list(lines, "ol");
      return `<p>${inline(lines.join(" "))}</p>`;
    })
    .join("");
}
