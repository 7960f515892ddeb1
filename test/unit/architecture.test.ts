import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * The rules of the house (docs/architecture.md) held by a test: which folder of src-main may import which.
 * `app` composes everything; a domain imports only what stands to the right of its name.
 */
const MAY_IMPORT: Record<string, string[]> = {
  app: ['server', 'hardware', 'inference', 'models', 'mesh', 'credits', 'store'],
  cli: ['app', 'server', 'hardware', 'inference', 'models', 'mesh', 'credits', 'store'],
  bench: ['app', 'server', 'hardware', 'inference', 'models', 'mesh', 'credits', 'store'],
  desktop: ['app', 'server', 'hardware', 'inference', 'models', 'mesh', 'credits', 'store'],
  server: ['inference'],
  hardware: ['inference'],
  inference: [],
  models: ['inference', 'store'],
  mesh: ['hardware', 'inference', 'models', 'credits', 'store'],
  credits: ['store'],
  store: [],
};

/** These compose: they may use any domain, whether or not they do today. */
const COMPOSERS = ['app', 'cli', 'bench', 'desktop'];

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const mainRoot = join(root, 'src-main');
const contractRoot = join(root, 'src-preload', 'contract');
const screensRoot = join(root, 'src-renderer');

interface Import {
  file: string;
  specifier: string;
  /** Folder of src-main that the file lives in; '' for its top level. */
  from: string;
  /** Folder of src-main that is imported; undefined for packages and the contract. */
  to: string | undefined;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function topFolder(file: string): string {
  const [first = '', ...rest] = relative(mainRoot, file).split(sep);
  return rest.length > 0 ? first : '';
}

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  return specifiers.map((specifier) => {
    const target = specifier.startsWith('.') ? resolve(dirname(file), specifier) : undefined;
    const inside = target?.startsWith(mainRoot + sep) ?? false;
    return {
      file: relative(root, file),
      specifier,
      from: topFolder(file),
      to: inside && target ? topFolder(target) : undefined,
    };
  });
}

const mainImports = sourceFiles(mainRoot).flatMap(importsOf);
const show = (found: Import[]) => found.map(({ file, specifier }) => `${file} imports ${specifier}`);

describe('the house', () => {
  it('has no folder that the rules do not know', () => {
    const folders = new Set(mainImports.map(({ from }) => from).filter(Boolean));
    expect([...folders].filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
  });

  it('lets imports point down only', () => {
    const wrong = mainImports.filter(
      ({ from, to }) => from && to !== undefined && to !== from && !MAY_IMPORT[from]?.includes(to),
    );
    // `quarry bench` is the one command that opens the bench folder.
    expect(
      show(wrong.filter(({ file, to }) => !(to === 'bench' && file === join('src-main', 'cli', 'bench.ts')))),
    ).toEqual([]);
  });

  it('allows a domain no import that it does not need', () => {
    const unused = Object.entries(MAY_IMPORT)
      .filter(([from]) => !COMPOSERS.includes(from))
      .flatMap(([from, allowed]) => allowed.map((to) => ({ from, to })))
      .filter((arrow) => !mainImports.some(({ from, to }) => from === arrow.from && to === arrow.to));
    expect(unused).toEqual([]);
  });

  it('keeps electron in desktop/ and the entry', () => {
    const wrong = mainImports.filter(
      ({ from, file, specifier }) =>
        /^electron(\/|$)/.test(specifier) && from !== 'desktop' && file !== join('src-main', 'index.ts'),
    );
    expect(show(wrong)).toEqual([]);
  });

  it('keeps the contract free of main, Node and Electron', () => {
    const wrong = sourceFiles(contractRoot)
      .flatMap(importsOf)
      .filter(({ specifier, to }) => to !== undefined || /^(node:|electron)/.test(specifier));
    expect(show(wrong)).toEqual([]);
  });

  it('gives the screens nothing of main, and of the contract only types and errors', () => {
    const outside = sourceFiles(screensRoot).flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      const values = [...source.matchAll(/import (?!type )[^;]*? from '(\.[^']+)'/g)].map(
        ([, specifier = '']) => specifier,
      );
      return values.filter((specifier) => !resolve(dirname(file), specifier).startsWith(screensRoot + sep));
    });
    expect(outside.filter((specifier) => !specifier.endsWith('src-preload/contract/errors.ts'))).toEqual([]);
  });

  it('has no barrels and no dumps', () => {
    const barrels = sourceFiles(mainRoot).filter((file) =>
      /(^|[\\/])(utils?|helpers?|misc)([\\/]|\.ts$)/.test(relative(mainRoot, file)),
    );
    expect(barrels).toEqual([]);
  });
});
