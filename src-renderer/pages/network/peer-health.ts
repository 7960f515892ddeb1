const BANDS = [
  ['idle', 80],
  ['light', 60],
  ['moderate', 40],
  ['busy', 20],
] as const;

export type PeerHealth = (typeof BANDS)[number][0] | 'overloaded';

/** The word for a peer's health, 0–100, in the bands that every node uses for itself. */
export function peerHealth(score: number): PeerHealth {
  return BANDS.find(([, above]) => score > above)?.[0] ?? 'overloaded';
}
