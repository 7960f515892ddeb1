/** What the crosshair says where it stands. */
export interface Reading {
  /** When. */
  title: string;
  rows: ReadingRow[];
}

export interface ReadingRow {
  label: string;
  /** Empty for a row that only says what was the matter. */
  value: string;
  /** The colour of its line or bar. */
  colour?: string;
  tone?: 'ore' | 'pause';
}

/** Stands for a value that is not known. */
export const NOT_KNOWN = '–';

/** As it is spoken: «20:53:00. Tokens per second 46, Answer paid +6»; `unknown` is the word for what is not known. */
export function spoken({ title, rows }: Reading, unknown: string): string {
  const said = rows.map(({ label, value }) => `${label} ${value === NOT_KNOWN ? unknown : value}`.trim());
  return `${title}. ${said.join(', ')}`;
}
