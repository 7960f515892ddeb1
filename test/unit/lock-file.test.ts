import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Optional packages of other systems that the registry this lock file was written with does not hold. They were entered by
 * hand, by name and version, because `npm ci` wants an entry for each; what their archives hash to could not be had.
 * `scripts/complete-lock-file.ts` enters the hashes where the registry is complete; then take them out of this list. A release
 * is not built before (.github/workflows/release.yml). Never add to it.
 */
const WITHOUT_INTEGRITY = [
  '@biomejs/cli-android-arm64@2.6.8',
  '@biomejs/cli-android-x64@2.6.8',
  '@biomejs/cli-darwin-arm64@2.6.8',
  '@biomejs/cli-darwin-x64@2.6.8',
  '@biomejs/cli-linux-arm64-musl@2.6.8',
  '@biomejs/cli-linux-x64-musl@2.6.8',
  '@biomejs/cli-win32-arm64@2.6.8',
  '@biomejs/cli-win32-x64@2.6.8',
  '@node-llama-cpp/linux-riscv64@3.22.1',
  '@node-llama-cpp/mac-arm64-metal@3.22.1',
  '@node-llama-cpp/mac-x64@3.22.1',
  '@node-llama-cpp/win-arm64@3.22.1',
  '@node-llama-cpp/win-x64-cuda-ext@3.22.1',
  '@node-llama-cpp/win-x64-cuda@3.22.1',
  '@node-llama-cpp/win-x64-vulkan@3.22.1',
  '@node-llama-cpp/win-x64@3.22.1',
];

interface Entry {
  version: string;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  os?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(resolve(root, file), 'utf8'));
const { '': project, ...entries }: Record<string, Entry> = read('package-lock.json').packages;
const packages = Object.entries(entries);

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Where Node would look for `name` from the package at `path`: beside its own dependencies first, then further out. */
function findEntry(path: string, name: string): Entry | undefined {
  const inside = entries[`${path}/node_modules/${name}`];
  if (inside || path === '') return inside ?? entries[`node_modules/${name}`];
  return findEntry(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
}

describe('the lock file', () => {
  it('says of every package what its archive hashes to, but of those on the list', () => {
    const without = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(without.map(([path, { version }]) => `${nameOf(path)}@${version}`).sort()).toEqual(WITHOUT_INTEGRITY);
  });

  it('lets go without only what one system alone needs', () => {
    const needed = packages.filter(([, { integrity, optional, os }]) => !integrity && !(optional && os));
    expect(needed).toEqual([]);
  });

  it('names no registry: each machine asks its own', () => {
    expect(packages.filter(([, { resolved }]) => resolved)).toEqual([]);
  });

  it('has what package.json asks for', () => {
    const { dependencies, devDependencies, engines } = read('package.json');
    expect(project).toMatchObject({ dependencies, devDependencies, engines });
  });

  // npm leaves out an optional package that it cannot find, and then `npm ci` refuses the file.
  it('has every package that another one asks for, optional ones too', () => {
    const missing = packages.flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !findEntry(path, name))
        .map((name) => `${path} → ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
