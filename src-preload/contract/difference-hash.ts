/** Fields of a picture that are compared: one more across than there are bits in a row. */
export const HASH_FIELDS = { columns: 9, rows: 8 };

/**
 * 64 bits of how a picture looks: whether each field is lighter than the one at its right (a difference hash). Encoded again or drawn smaller, a picture keeps
 * nearly all of them.
 * @returns 16 hex
 */
export function differenceHash(lightOf: (column: number, row: number) => number): string {
  const { columns, rows } = HASH_FIELDS;
  const bits = Array.from({ length: rows * (columns - 1) }, (_, index) => {
    const [row, column] = [Math.floor(index / (columns - 1)), index % (columns - 1)];
    return lightOf(column, row) > lightOf(column + 1, row);
  });
  const nibble = (at: number) => bits.slice(at, at + 4).reduce((sum, bit) => 2 * sum + Number(bit), 0);
  return Array.from({ length: bits.length / 4 }, (_, at) => nibble(4 * at).toString(16)).join('');
}
