import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import type { Configuration } from 'electron-builder';
import { afterEach, describe, expect, it, vi } from 'vitest';
import packaging from '../../../build/electron-builder.ts';
import buildConfig from '../../../electron.vite.config.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const config: Configuration = packaging;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Folders of the packages that an installation has, on this machine. */
function productionPackages(): string[] {
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(join(ROOT, path)))
    .map(([path]) => path);
}

function hasMachineCode(path: string): boolean {
  const files = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return files.some((file) => file.endsWith('.node') && !/[/\\]node_modules[/\\]/.test(file));
}

describe('the packaged app', () => {
  it('has every package with machine code beside its archive', () => {
    const unpacked = config.asarUnpack as string[];
    const native = productionPackages().filter(hasMachineCode);
    expect(native).toContain('node_modules/better-sqlite3');
    const missing = native.filter((path) => !unpacked.some((glob) => matchesGlob(`${path}/x.node`, glob)));
    expect(missing).toEqual([]);
  });

  it('keeps its own code in the archive, whose integrity is checked', () => {
    expect(config.asar).toBe(true);
    const unpacked = config.asarUnpack as string[];
    for (const file of [
      'out/main/index.js',
      'out/main/engine-child.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
    ]) {
      expect(unpacked.filter((glob) => matchesGlob(file, glob))).toEqual([]);
      expect((config.files as string[]).some((glob) => matchesGlob(file, glob))).toBe(true);
    }
  });

  it('has the modules of its child processes and threads', () => {
    const { main } = buildConfig as { main: { build: { rolldownOptions: { input: Record<string, string> } } } };
    const built = Object.keys(main.build.rolldownOptions.input);
    expect(built).toEqual(expect.arrayContaining(['index', 'engine-child', 'utility-child', 'hash-thread']));
  });

  it('is no Node for others, and loads nothing but its own archive', () => {
    expect(config.electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('takes only updates that its publisher has signed', () => {
    expect(config.win?.verifyUpdateCodeSignature).not.toBe(false);
    expect(config.win?.signtoolOptions?.publisherName).toBeTruthy();
    expect(config.mac?.hardenedRuntime).toBe(true);
    expect(config.forceCodeSigning).not.toBe(false);
  });

  it('asks for updates only where the build says', async () => {
    vi.resetModules();
    vi.stubEnv('QUARRY_UPDATE_URL', 'https://updates.example.org');
    const withFeed = (await import('../../../build/electron-builder.ts')).default;
    expect(withFeed.publish).toEqual([{ provider: 'generic', url: 'https://updates.example.org' }]);
    vi.resetModules();
    vi.stubEnv('QUARRY_UPDATE_URL', '');
    expect((await import('../../../build/electron-builder.ts')).default.publish).toBeNull();
  });

  it('gives up no part of the hardened runtime but the one that V8 needs', () => {
    const keys = [...read('build/entitlements.mac.plist').matchAll(/<key>(.*)<\/key>/g)].map(([, key]) => key);
    expect(keys).toEqual(['com.apple.security.cs.allow-jit']);
  });

  it('has all its images', () => {
    const images = ['mining', 'paused', 'stopped', 'trouble'].flatMap((state) =>
      ['', '@2x', 'Template', 'Template@2x'].map((kind) => `resources/icons/tray/${state}${kind}.png`),
    );
    expect([config.icon as string, ...images].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('is known to the system by one name', () => {
    expect(read('src-main/index.ts')).toContain(`APP_ID = '${config.appId}'`);
    expect(config.protocols).toEqual([{ name: 'Quarry', schemes: ['quarry'] }]);
  });
});
