/** By what a table is sorted. */
export interface SortOrder<Key extends string> {
  key: Key;
  descending: boolean;
}
