/** Peers on a page of a list. */
export const PAGE = 10;

/** Where the next page of a list of peers begins; undefined behind its end. */
export function nextOffset(
  { peers, total }: { peers: unknown[]; total: number },
  _pages: unknown[],
  offset: number,
): number | undefined {
  const next = offset + peers.length;
  return peers.length > 0 && next < total ? next : undefined;
}
