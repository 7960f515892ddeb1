/// <reference types="vite/types/importMeta.d.ts" />

export type Texts = { [key: string]: string | Texts };

/** What stands in files, by their names: `./de/network.json` is `network`. */
export function byName(files: Record<string, Texts>): Record<string, Texts> {
  return Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [path.slice(path.lastIndexOf('/') + 1, -'.json'.length), texts]),
  );
}
