/** A line of CSV (RFC 4180). Nothing is an empty cell. */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`;
}

/**
 * Every cell is quoted. A text that begins like a formula, even after white space, gets an apostrophe (OWASP, "CSV
 * Injection").
 */
export function csvCell(text: string): string {
  const plain = /^\s*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
