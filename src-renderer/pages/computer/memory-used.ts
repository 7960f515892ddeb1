/**
 * Bytes of memory in use. The share is of this moment, the sizes were read some time ago.
 *
 * @param percent 0–100; undefined on a node that does not measure it
 */
export function memoryUsed(
  memory: { total: number; available: number } | undefined,
  percent: number | undefined,
): { used: number; total: number } | undefined {
  if (!memory) return undefined;
  const { total, available } = memory;
  return { used: percent === undefined ? total - available : (total * percent) / 100, total };
}
