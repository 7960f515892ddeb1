/** The kinds of entries that have a name on the screen, and the colour of its badge. */
export const KIND_COLOURS = {
  earn: 'green',
  bonus: 'yellow',
  penalty: 'red',
  pay: 'blue',
  reserve: 'gray',
  release: 'gray',
  allowance: 'quarry',
  standing: 'gray',
} as const;
export type KnownKind = keyof typeof KIND_COLOURS;

export function isKnownKind(kind: string): kind is KnownKind {
  return Object.hasOwn(KIND_COLOURS, kind);
}
