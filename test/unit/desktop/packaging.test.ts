import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, matchesGlob, resolve } from 'node:path';
import type { Configuration } from 'electron-builder';
import { afterEach, describe, expect, it, vi } from 'vitest';
import packaging from '../../../build/electron-builder.ts';
import { hasEngine } from '../../../build/engine-check.ts';
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

/** As much of a file pattern's owner in electron-builder as is asked here. */
interface Matcher {
  createFilter(): (path: string, stat: { isDirectory(): boolean; moduleFullFilePath?: string }) => boolean;
}

/** Which files of the project electron-builder itself takes into the archive of a system. */
function packs(system: 'win' | 'mac' | 'linux', arch: string): (file: string) => boolean {
  const { getMainFileMatchers, getNodeModuleFileMatcher } = createRequire(
    createRequire(import.meta.url).resolve('electron-builder'),
  )('app-builder-lib/out/fileMatcher.js');
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: as electron-builder fills it in
  const expand = (pattern: string) => pattern.replaceAll('${os}', system).replaceAll('${arch}', arch);
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the same
  const debugLogger = { isEnabled: false };
  const info = { config, projectDir: ROOT, buildResourcesDir: join(ROOT, 'build'), debugLogger };
  const own: Matcher[] = getMainFileMatchers(ROOT, '/', expand, config[system], { info }, join(ROOT, 'dist'), false);
  const modules: Matcher = getNodeModuleFileMatcher(ROOT, '/', expand, config[system], info);
  return (file) =>
    (file.startsWith('node_modules/') ? [modules] : own).some((matcher) =>
      matcher.createFilter()(join(ROOT, file), { isDirectory: () => false }),
    );
}

/** Packages that a built module loads, by their names. */
function packagesOf(code: string): string[] {
  const loads = code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["']((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]+)?["']/g);
  return [...loads].flatMap(([, name = '']) => (isBuiltin(name) ? [] : [name]));
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
    }
  });

  it.each(['win', 'mac', 'linux'] as const)('holds on %s what it needs of the project, and nothing else', (system) => {
    const isPacked = packs(system, 'x64');
    const needed = [
      'out/main/index.js',
      'out/main/utility-child.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
    ];
    const more = [
      'package.json',
      'LICENSE',
      'models/catalogue.json',
      'models/clip-models.json',
      'resources/icons/tray/mining.png',
    ];
    expect([...needed, ...more].filter((file) => !isPacked(file))).toEqual([]);
    const foreign = ['src-main/index.ts', 'test/support/chromium.ts', 'docs/security.md', '.env', 'quarry.db'];
    expect([...foreign, 'build/README.md', 'out/built', 'resources/tiny.gguf'].filter(isPacked)).toEqual([]);
  });

  it('has the machine code of its own system and processor only', () => {
    const isPacked = packs('mac', 'arm64');
    const engine = (name: string) => `node_modules/@node-llama-cpp/${name}/bins/${name}/llama-addon.node`;
    expect(isPacked(engine('mac-arm64-metal'))).toBe(true);
    expect(['mac-x64', 'linux-arm64', 'win-arm64'].map(engine).filter(isPacked)).toEqual([]);
    const udx = (name: string) => `node_modules/udx-native/prebuilds/${name}/udx-native.node`;
    expect(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'ios-arm64'].map(udx).filter(isPacked)).toEqual([
      udx('darwin-arm64'),
    ]);
    const sqlite = (name: string) => `node_modules/better-sqlite3/prebuilds/${name}.node`;
    expect(['darwin-arm64', 'linux-arm64', 'linuxmusl-arm64'].map(sqlite).filter(isPacked)).toEqual([
      sqlite('darwin-arm64'),
    ]);
    expect(isPacked('node_modules/zod/LICENSE')).toBe(true);
  });

  it('has every package that its own code loads', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const sources = readdirSync(join(ROOT, 'src-main'), { recursive: true, encoding: 'utf8' });
    const loaded = sources
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => packagesOf(read(`src-main/${file}`)));
    expect(loaded).toContain('better-sqlite3');
    // Examples in comments import this package itself.
    const others = loaded.filter((name) => name !== 'electron' && name !== 'quarry');
    const missing = new Set(others.filter((name) => !(name in dependencies)));
    expect([...missing]).toEqual([]);
  });

  it('is not packed where the engine for it is missing', async () => {
    const modules = await mkdtemp(join(tmpdir(), 'quarry-modules-'));
    try {
      await mkdir(join(modules, '@node-llama-cpp/mac-arm64-metal/bins'), { recursive: true });
      expect(hasEngine(modules, 'mac-arm64')).toBe(true);
      expect(hasEngine(modules, 'mac-x64')).toBe(false);
      expect(hasEngine(join(modules, 'none'), 'mac-arm64')).toBe(false);
    } finally {
      await rm(modules, { recursive: true, force: true });
    }
  });

  it('has the modules of its child processes and threads', () => {
    const { main } = buildConfig as { main: { build: { rolldownOptions: { input: Record<string, string> } } } };
    const built = Object.keys(main.build.rolldownOptions.input);
    const needed = [
      'index',
      'engine-child',
      'module-child',
      'utility-child',
      'backup-child',
      'key-child',
      'router-child',
      'file-check-child',
      'media-child',
      'training-child',
      'kernel-child',
      'compile-child',
      'hash-thread',
      'rules-thread',
      'index-thread',
      'shard-thread',
      'schema-thread',
    ];
    expect(built).toEqual(expect.arrayContaining(needed));
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
    vi.stubEnv('QUARRY_UPDATE_URL', 'http://updates.example.org');
    await expect(import('../../../build/electron-builder.ts')).rejects.toThrow('https://');
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
    // Of a Linux package: the menu's entry, and what a deb must have.
    expect(config.extraMetadata).toMatchObject({
      homepage: expect.stringMatching(/^https:/),
      desktopName: 'quarry.desktop',
    });
    expect(config.linux).toMatchObject({ syncDesktopName: true, maintainer: expect.stringMatching(/^.+ <.+@.+>$/) });
  });
});

describe('the release', () => {
  const workflow = read('.github/workflows/release.yml');
  const [, check = '', pack = ''] = workflow.split(/^ {2}(?:check|pack|draft):$/m);

  it('is made of what is on main, which is looked at before anything of the tag runs', () => {
    expect(check).toContain('fetch-depth: 0');
    const [looked, ran] = ['git merge-base --is-ancestor HEAD origin/main', 'npm ci'].map((step) =>
      check.indexOf(step),
    );
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(ran ?? 0);
  });

  it('takes the certificate in one job, from a protected environment', () => {
    expect(pack).toMatch(/^ {4}environment: release$/m);
    expect(pack).toContain('secrets.CSC_LINK');
    expect(workflow.replace(pack, '')).not.toContain('secrets.');
  });
});
