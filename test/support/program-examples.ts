import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'src-main', 'client');
const FENCE = /```ts\n([\s\S]*?)```/g;

export interface ProgramExample {
  /** Where it stands: `client.ts-1.ts`. */
  name: string;
  source: string;
}

/** Programs that the documentation of `quarry/client` shows: in docs/programs.md, and as `@example` beside what they are of. */
export function programExamples(): ProgramExample[] {
  const page = { name: 'programs.md', text: readFileSync(join(ROOT, 'docs', 'programs.md'), 'utf8') };
  const sources = readdirSync(CLIENT).map((name) => ({
    name,
    text: comments(readFileSync(join(CLIENT, name), 'utf8')),
  }));
  return [page, ...sources].flatMap(({ name, text }) =>
    [...text.matchAll(FENCE)].map(([, source = ''], at) => ({ name: `${name}-${at + 1}.ts`, source })),
  );
}

/** What stands in the comments of a source, without their asterisks. */
function comments(source: string): string {
  return [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)]
    .map(([, text = '']) => text.replaceAll(/^ *\* ?/gm, ''))
    .join('\n');
}

/** How strictly programs are checked that use the package: as strictly as there is, types of others included. */
export const STRICTEST = {
  ...{
    target: 'esnext',
    lib: ['esnext'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    noEmit: true,
  },
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
};
