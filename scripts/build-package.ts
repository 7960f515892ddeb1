/**
 * Builds what `npm pack` packs: the app (`out/`), and in `out/package` the modules that other programs import, as JavaScript with
 * their types (docs/decisions/0036-usable-by-others.md). npm runs it before it packs.
 * Usage: node scripts/build-package.ts
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { buildApp } from './build-app.ts';

const root = resolve(import.meta.dirname, '..');

buildApp();
rmSync(join(root, 'out', 'package'), { recursive: true, force: true }); // what was renamed is not packed
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'build', 'tsconfig.package.json')], {
  stdio: ['ignore', process.stderr.fd, process.stderr.fd],
});
if (status !== 0) throw new Error('The modules of the package could not be compiled.');
