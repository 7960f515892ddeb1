/**
 * Which drawer of the history an entry lies in. Every database refuses any other (migration 0001), for good: what an entry is, its key
 * says (credits/books/entry-keys.ts), so that something new needs a form of key and no kind.
 */
export const ENTRY_KINDS = ['allowance', 'standing', 'reserve', 'release', 'earn', 'pay', 'bonus', 'penalty'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
