import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { PROTOCOL_VERSION } from '../../src-main/mesh/transport/envelope.ts';
import { migrations } from '../../src-main/store/database.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

it('the compatibility table says in its first row what this checkout is', () => {
  const { version, dependencies, devDependencies } = JSON.parse(read('package.json'));
  const names = Object.keys(migrations);
  const [headings = '', , row = ''] = read('CHANGELOG.md').match(/^\|.*\|$/gm) ?? [];
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const { release } = JSON.parse(read('node_modules/node-llama-cpp/llama/binariesGithubRelease.json'));
  expect(Object.fromEntries(cells(headings).map((name, column) => [name, cells(row)[column]]))).toEqual({
    Quarry: version,
    Wire: String(PROTOCOL_VERSION),
    // Between two releases it may lag: those who write a migration are spared the table. A release must not.
    Database: process.env.QUARRY_RELEASE ? names.at(-1) : expect.toSatisfy((name: string) => names.includes(name)),
    'llama.cpp': release,
    'node-llama-cpp': dependencies['node-llama-cpp'],
    Node: devDependencies.node,
    Electron: devDependencies.electron,
  });
});

it('the Node of the checkout is of the line that other places name', () => {
  const { node } = JSON.parse(read('package.json')).devDependencies;
  expect(read('.nvmrc').trim()).toBe(node.split('.')[0]);
});
