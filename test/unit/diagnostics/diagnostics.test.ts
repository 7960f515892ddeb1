import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectDiagnostics } from '../../../src-main/diagnostics/diagnostics.ts';
import { Redactor } from '../../../src-main/diagnostics/redactor.ts';
import { loadNodeConfig } from '../../../src-main/settings/config.ts';
import { PlainVault } from '../../../src-main/settings/secret-vault.ts';
import { Settings } from '../../../src-main/settings/settings.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-diagnostics-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function collect(sections: Record<string, () => Promise<unknown>> = {}, env: NodeJS.ProcessEnv = {}) {
  const sources = { env, flags: { dataDir } };
  const vault = new PlainVault();
  const config = await loadNodeConfig(sources, vault);
  const settings = new Settings({ config, sources, vault, log: pino({ level: 'silent' }) });
  await settings.set({ changes: { 'mesh.secret': 'new "planted\\secret', nodeName: 'Ada’s desk' } });
  const now = () => new Date('2026-03-04T05:06:07Z');
  const running = { dataDir, nodeName: settings.follow('nodeName').now };
  const { fileName, text } = await collectDiagnostics({ config: running, settings, sections, now });
  return { fileName, text, report: JSON.parse(text) };
}

const writeLog = (...lines: string[]) =>
  writeFile(join(dataDir, 'quarry.log'), lines.map((line) => `${line}\n`).join(''));

describe('collectDiagnostics', () => {
  it('holds what a helper needs', async () => {
    await writeLog('{"msg":"first"}', 'not JSON');
    const { fileName, report } = await collect({
      status: async () => ({ role: 'miner' }),
      doctor: () => Promise.reject(new Error('it hangs')),
    });
    expect(fileName).toBe('quarry-diagnostics-2026-03-04.json');
    expect(report).toMatchObject({
      at: '2026-03-04T05:06:07.000Z',
      version: expect.stringMatching(/^\d+\.\d+/),
      platform: `${process.platform} ${process.arch}`,
      runtime: { node: process.versions.node },
      settings: {
        restartNeeded: true,
        'mesh.secret': { value: 'set', origin: 'app', waitsForRestart: true },
        dataDir: { origin: 'command line' },
      },
      status: { role: 'miner' },
      doctor: { error: 'it hangs' },
      log: ['{"msg":"first"}', 'not JSON'],
    });
  });

  it('holds no secret, no name and no home folder, wherever they were planted', async () => {
    const inHome = join(homedir(), 'models', 'x.gguf');
    await writeLog(
      JSON.stringify({ msg: 'refused env-token-planted-1', headers: { authorization: 'Bearer abc.def-ghi' } }),
      JSON.stringify({ err: { stack: `Error: new "planted\\secret\n at ${inHome}` } }),
      JSON.stringify({ body: JSON.stringify({ secret: 'new "planted\\secret' }) }),
      `broken { new "planted\\secret on ${hostname()}`,
      JSON.stringify({ url: 'https://me:hunter22@example.org/?t=env-token-planted-1', 'env-token-planted-1': 1 }),
      JSON.stringify({ path: '/home/somebody/x', mac: '/Users/somebody/x', win: 'C:\\Users\\somebody\\x' }),
      JSON.stringify({ token: 'hf_abcdefghijklmnopqrstuvwxyz', computer: `http://${hostname()}:7070, Ada’s desk` }),
    );
    const { text, report } = await collect(
      { status: async () => ({ name: hostname(), paths: [inHome], note: 'env-token-planted-1' }) },
      { QUARRY_API_TOKEN: 'env-token-planted-1' },
    );
    expect(report.log).toHaveLength(7);
    expect(text).not.toMatch(/planted|abc\.def|hunter22|hf_abc|somebody|Ada’s/);
    expect(text).not.toContain(join(homedir(), 'models'));
    expect(text).not.toContain(`//${hostname()}`);
    expect(report.status).toEqual({ name: '[computer]', paths: [join('~', 'models', 'x.gguf')], note: '[removed]' });
    expect(report.log.at(-2)).toContain('/home/[user]/x');
  });

  it('holds a bounded part of the log, the newest', async () => {
    const line = (n: number) => JSON.stringify({ n, msg: '€'.repeat(5_000) });
    await writeLog(...Array.from({ length: 2_500 }, (_, n) => line(n)));
    const { text, report } = await collect();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(4_900_000);
    expect(report.log.at(-1)).toMatch(/^\{"n":2499,/);
    expect(Math.max(...report.log.map((one: string) => one.length))).toBe(4_001);
  });

  it('holds the last 2,000 lines', async () => {
    await writeLog(...Array.from({ length: 2_500 }, (_, n) => JSON.stringify({ n })));
    const { report } = await collect();
    expect(report.log.map((line: string) => JSON.parse(line).n)).toEqual(
      Array.from({ length: 2_000 }, (_, n) => n + 500),
    );
  });

  it('leaves out a part that is far too large', async () => {
    const { report } = await collect({ downloads: async () => 'x'.repeat(1_000_000) });
    expect(report.downloads).toEqual({ omitted: '1000002 characters are too many.' });
  });

  it('is made where the log cannot be read and another layer is damaged', async () => {
    await mkdir(join(dataDir, 'quarry.log'));
    const sources = { env: {}, flags: { dataDir } };
    const config = await loadNodeConfig(sources, new PlainVault());
    const settings = new Settings({ config, sources, vault: new PlainVault(), log: pino({ level: 'silent' }) });
    await writeFile(join(dataDir, 'quarry.toml'), 'prot = 1');
    const { text } = await collectDiagnostics({ config, settings, sections: {} });
    expect(JSON.parse(text)).toMatchObject({
      log: [expect.stringContaining('EISDIR')],
      settings: { error: expect.stringContaining('prot') },
    });
  });
});

describe('Redactor', () => {
  const redactor = (secrets: string[] = []) =>
    new Redactor({ secrets, names: ['box'], home: '/home/ada', user: 'ada' });

  it.each([
    ['/home/ada/x and /home/ada', '~/x and ~'],
    ['/home/adam/x', '/home/[user]/x'],
    ['/srv/ada/models', '/srv/[user]/models'],
    ['adapter on box, inbox', 'adapter on [computer], inbox'],
    ['Authorization: Bearer x-1', 'Authorization: Bearer [removed]'],
    ['quarry_session=abc; other=1', 'quarry_session=[removed]; other=1'],
  ])('%s', (text, expected) => {
    expect(redactor().text(text)).toBe(expected);
  });

  it('takes the whole password out of an address, also one with an @ in it', () => {
    const redactor = new Redactor({ secrets: [], names: [], home: '/home/me', user: '' });
    expect(redactor.text('see http://me:pa@55word@host/x, and a@b.example')).not.toMatch(/pa|55word/);
  });

  it('takes a short secret for one only where it stands alone', () => {
    expect(redactor(['key']).text('key, keyboard, {"apiKey":"key"}')).toBe(
      '[removed], keyboard, {"apiKey":"[removed]"}',
    );
  });

  it('removes the longer of two secrets first', () => {
    expect(redactor(['abcdefgh', 'abcdefgh-ijkl']).text('abcdefgh-ijkl')).toBe('[removed]');
  });

  it('knows a home on Windows, in whatever notation', () => {
    const windows = new Redactor({ secrets: [], names: [], home: 'C:\\Users\\Ada L', user: 'Ada L' });
    expect(windows.text('C:\\Users\\Ada L\\x "C:\\\\Users\\\\Ada L\\\\x" c:/users/ada l/x')).toBe('~\\x "~\\\\x" ~/x');
  });

  it('leaves paths alone where the home is the root', () => {
    expect(new Redactor({ secrets: [], names: [], home: '/', user: '' }).text('/etc/x')).toBe('/etc/x');
  });
});
