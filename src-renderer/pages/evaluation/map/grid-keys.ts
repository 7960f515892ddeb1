export interface GridPlace {
  row: number;
  column: number;
}

/** Where a key leads in a grid; undefined for keys that lead nowhere, and at its edges. */
export function cellAfter(
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  { row, column }: GridPlace,
  { rows, columns }: { rows: number; columns: number },
): GridPlace | undefined {
  const [lastRow, lastColumn] = [rows - 1, columns - 1];
  const wanted: Record<string, GridPlace> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? lastRow : row, column: lastColumn },
  };
  const next = wanted[key];
  const isThere = next && next.row >= 0 && next.row <= lastRow && next.column >= 0 && next.column <= lastColumn;
  return isThere ? next : undefined;
}
