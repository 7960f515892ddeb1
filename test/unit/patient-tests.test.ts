import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const tests = resolve(import.meta.dirname, '..');
const PATIENT = ['support/until.ts', relative(tests, import.meta.filename)];

it('no test waits with the patience of vitest, which is one second: `until` waits as long as a busy machine takes', () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !PATIENT.includes(file))
    .filter((file) => /\bvi\.wait(?:For|Until)\(/.test(readFileSync(join(tests, file), 'utf8')));
  expect(files).toEqual([]);
});
