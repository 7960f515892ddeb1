import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { DATA, dataNames } from '../../../src-main/base/data-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const names = dataNames(() => true);

it('the list of what lies in a data folder is the one of docs/architecture.md', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const section = /## Data folder[\s\S]*?(?=\n## )/.exec(page)?.[0] ?? '';
  const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  const told = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  expect(told.map((name) => name.replace(/…?\/?$/, '')).sort()).toEqual([...names].sort());
});

it('nobody else in main spells the names of its files', () => {
  const main = join(ROOT, 'src-main');
  const files = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('bench') && !file.endsWith('data-folder.ts'),
  );
  // A bare word («models») means much else.
  const spelt = names.filter((name) => /[.-]\w/.test(name)).map((name) => `'${name}'`);
  const wrong = files.filter((file) => {
    const text = readFileSync(join(main, file), 'utf8');
    return spelt.some((name) => text.includes(name));
  });
  expect(wrong).toEqual([]);
});

it('what gives way stands below what it gives way to: a restore puts that into its place first', () => {
  const wrong = Object.values(DATA).filter(
    ({ name, givesWayTo }) => givesWayTo !== undefined && names.indexOf(givesWayTo) >= names.indexOf(name),
  );
  expect(wrong).toEqual([]);
  const needless = Object.values(DATA).filter(({ marksANode, inBackup }) => marksANode && !inBackup);
  expect(needless).toEqual([]); // without what makes a node there is no backup of one
});
