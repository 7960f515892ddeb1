import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Pins } from '../../../../src-main/models/pins.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-pins-'));
  path = join(dir, 'models', 'pins.json');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('pins', () => {
  it('hold a name to its first hash, also after a restart', async () => {
    const pins = new Pins(path);
    await pins.hold('m', A);
    await pins.hold('m', A);
    expect(pins.of('m')).toBe(A);
    const later = new Pins(path);
    await later.open();
    expect(later.of('m')).toBe(A);
    await expect(later.hold('m', B)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(`${B}.*${A}`),
      hint: expect.stringContaining(path),
    });
    expect(later.of('m')).toBe(A);
  });

  it('know nothing where there is no file', async () => {
    const pins = new Pins(path);
    await pins.open();
    expect([pins.of('m'), pins.of('__proto__')]).toEqual([undefined, undefined]);
  });

  it('are written whole, for people to read', async () => {
    const pins = new Pins(path);
    await pins.hold('one', A);
    await pins.hold('two', B);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ one: A, two: B });
    expect(await readdir(join(dir, 'models'))).toEqual(['pins.json']);
  });

  it.each(['{', '[]', '{"m": 1}', '{"m": "xyz"}', ' '.repeat((1 << 20) + 1)])(
    'are never replaced when damaged: %#',
    async (content) => {
      path = join(dir, 'pins.json');
      await writeFile(path, content);
      const pins = new Pins(path);
      await expect(pins.open()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
      await expect(pins.hold('m', A)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );
});
