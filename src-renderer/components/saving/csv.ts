/** A spreadsheet would take what begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Lines of cells as a table for other programs. */
export function csvOf(lines: readonly (readonly (string | number | boolean)[])[]): string {
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: string | number | boolean): string {
  const text = String(value);
  if (typeof value !== 'string') return text;
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
