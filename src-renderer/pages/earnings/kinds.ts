/** The kinds of entries that have a name on the screen, in the order of the legend, and the colour of its badge. */
export const KIND_COLOURS = {
  earn: 'green',
  pay: 'blue',
  release: 'gray',
  standing: 'gray',
  bonus: 'yellow',
  penalty: 'red',
  reserve: 'gray',
  allowance: 'quarry',
} as const;
export type KnownKind = keyof typeof KIND_COLOURS;
export const KNOWN_KINDS = Object.keys(KIND_COLOURS) as KnownKind[];

export function isKnownKind(kind: string): kind is KnownKind {
  return Object.hasOwn(KIND_COLOURS, kind);
}
