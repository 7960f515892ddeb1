import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, secretsAtRest } from '../../../src-main/settings/config.ts';
import { SETTINGS, valueAt } from '../../../src-main/settings/config-settings.ts';
import { PlainVault } from '../../../src-main/settings/secret-vault.ts';

const cwd = resolve('/work-folder');
const TOKEN = 'a token of more than sixteen';
const FILES: Record<string, string> = {
  [resolve('/run/secrets/token')]: `${TOKEN}\n`,
  [resolve(cwd, 'beside')]: TOKEN,
  [resolve('/run/secrets/windows')]: `${TOKEN}\r\n`,
  [resolve('/run/secrets/empty')]: '\n',
  [resolve('/run/secrets/two-lines')]: `${TOKEN}\nand another`,
  [resolve('/run/secrets/long')]: 'x'.repeat(10_000),
  [resolve('/run/secrets/short')]: 'hunter2',
};
const sources = (env: NodeJS.ProcessEnv) => ({ cwd, env, readFile: (path: string) => FILES[path] });
const load = (env: NodeJS.ProcessEnv) => loadConfig(sources(env));

describe('a secret in a file', () => {
  it.each(['/run/secrets/token', '/run/secrets/windows', 'beside'])(
    'is read without the end of its line: %s',
    (path) => {
      expect(load({ QUARRY_API_TOKEN_FILE: path }).apiToken).toBe(TOKEN);
    },
  );

  it('can be every secret that there is, and nothing else', () => {
    const url = 'postgres://quarry:password@db/results';
    const secretOf = (variable: string) => (variable.includes('DATABASE') ? url : `${TOKEN} ${variable}`); // each its own
    const readFile = (path: string) => {
      const [, variable] = /secret-of-(\w+)$/.exec(path) ?? [];
      return variable && secretOf(variable);
    };
    const secrets = SETTINGS.filter(({ secret }) => secret);
    const env = Object.fromEntries(secrets.map(({ variable }) => [`${variable}_FILE`, `secret-of-${variable}`]));
    const config = loadConfig({ cwd, env, readFile });
    expect(secrets.map(({ path }) => valueAt(config, path))).toEqual(secrets.map(({ variable }) => secretOf(variable)));
    expect(() => load({ QUARRY_PORT_FILE: '/run/secrets/token' })).toThrow('no environment variable QUARRY_PORT_FILE');
  });

  it('gives way to the variable itself, and to none that is empty', () => {
    const QUARRY_API_TOKEN_FILE = '/run/secrets/token';
    expect(load({ QUARRY_API_TOKEN_FILE, QUARRY_API_TOKEN: 'another token for this' }).apiToken).toBe(
      'another token for this',
    );
    expect(load({ QUARRY_API_TOKEN_FILE, QUARRY_API_TOKEN: '' }).apiToken).toBe(TOKEN);
    expect(load({ QUARRY_API_TOKEN_FILE: '' }).apiToken).toBeUndefined();
  });

  it.each(['gone', 'empty', 'two-lines', 'long'])('keeps the node from starting where there is none: %s', (name) => {
    const path = `/run/secrets/${name}`;
    const start = () => load({ QUARRY_API_TOKEN_FILE: path });
    expect(start).toThrow('QUARRY_API_TOKEN_FILE names a file');
    expect(start).toThrow(resolve(path));
  });

  it('is told by its variable where it is no good, and never shown', () => {
    const start = () => load({ QUARRY_API_TOKEN_FILE: '/run/secrets/short' });
    expect(start).toThrow('QUARRY_API_TOKEN_FILE: apiToken must be a text of 16 to 512 characters');
    expect(start).not.toThrow('hunter2');
  });

  it('is known to whatever keeps secrets out of reports', async () => {
    const found = await secretsAtRest(cwd, sources({ QUARRY_API_TOKEN_FILE: '/run/secrets/token' }), new PlainVault());
    expect(found).toEqual([TOKEN]);
  });
});
