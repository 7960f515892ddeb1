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

/** As it is spoken: «20:53:00. Tokens per second 46, Answer paid +6». */
export function spoken({ title, rows }: Reading): string {
  return `${title}. ${rows.map(({ label, value }) => `${label} ${value}`.trim()).join(', ')}`;
}
