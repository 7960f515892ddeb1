interface Order {
  id: string;
  createdAt: number;
}

/** What is shown live, and pages of all there are: newest first, each once and as it is now. */
export function withOlder<Row extends Order>(live: readonly Row[], older: readonly Row[]): Row[] {
  const all = new Map([...older, ...live].map((row) => [row.id, row]));
  return [...all.values()].sort((one, other) => other.createdAt - one.createdAt);
}
