import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { unzipOne, zipFiles } from '../../../../src-main/learning/adapters/adapter-zip.ts';

let folder: string;
let path: string;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-zip-'));
  path = join(folder, 'a.zip');
  target = join(folder, 'out');
  await mkdir(target);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const WANTED = ['one', 'two'];
const MOST = 10_000_000;

async function zipped(fill: (zip: ZipFile) => void): Promise<void> {
  const zip = new ZipFile();
  fill(zip);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

/** Puts a name of the same length in the place of another, everywhere. */
async function renamed(from: string, to: string): Promise<void> {
  const bytes = await readFile(path);
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at);
  await writeFile(path, bytes);
}

describe('a zip', () => {
  it('holds what was put in, and the same bytes each time', async () => {
    await writeFile(join(folder, 'one'), 'first');
    await writeFile(join(folder, 'two'), 'second');
    await zipFiles(path, folder, WANTED, Date.UTC(2026, 10, 27));
    await zipFiles(join(folder, 'b.zip'), folder, WANTED, Date.UTC(2026, 10, 27));
    expect(await readFile(join(folder, 'b.zip'))).toEqual(await readFile(path));
    for (const name of WANTED) expect(await unzipOne(path, target, name, MOST)).toBe(true);
    expect(await readFile(join(target, 'two'), 'utf8')).toBe('second');
  });

  it('gives what is wanted from a folder in it, squeezed or not, and nothing else', async () => {
    await zipped((zip) => {
      zip.addBuffer(Buffer.from('x'.repeat(1_000)), 'mine/one', { compress: true });
      zip.addBuffer(Buffer.from('y'), 'mine/readme', { compress: false });
    });
    expect(await unzipOne(path, target, 'one', MOST)).toBe(true);
    expect(await unzipOne(path, target, 'two', MOST)).toBe(false);
    expect(await readdir(target)).toEqual(['one']);
  });

  it('with a file missing is an error when it is written', async () => {
    await expect(zipFiles(path, folder, ['nothing'], 0)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a hostile zip', () => {
  const refused = () => expect(unzipOne(path, target, 'one', MOST)).rejects.toMatchObject({ code: 'ADAPTER_INVALID' });

  it('leads nowhere else', async () => {
    await zipped((zip) => zip.addBuffer(Buffer.from('x'), '__/one'));
    await renamed('__/one', '../one');
    await refused();
    expect((await readdir(folder)).sort()).toEqual(['a.zip', 'out']);
  });

  it('has no file twice', async () => {
    await zipped((zip) => {
      zip.addBuffer(Buffer.from('x'), 'a/one');
      zip.addBuffer(Buffer.from('y'), 'b/one');
    });
    await refused();
  });

  it('has not thousands of files', async () => {
    await zipped((zip) => {
      for (let at = 0; at < 300; at++) zip.addBuffer(Buffer.from('x'), `file-${at}`);
    });
    await refused();
  });

  it('has the bytes that its sums say', async () => {
    await zipped((zip) => zip.addBuffer(Buffer.from('first'), 'one', { compress: false }));
    await renamed('first', 'forst');
    await refused();
  });

  it('does not grow beyond the size that it says', async () => {
    await zipped((zip) => zip.addBuffer(Buffer.alloc(1_000_000), 'one', { compress: true }));
    const bytes = await readFile(path);
    const central = bytes.indexOf(Buffer.from('PK\u0001\u0002'));
    bytes.writeUInt32LE(1_000, central + 24);
    await writeFile(path, bytes);
    await refused();
    for (const name of await readdir(target)) expect((await readFile(join(target, name))).length).toBeLessThan(100_000);
  });

  it('has nothing larger than it may be, and not a byte of that is written', async () => {
    await zipped((zip) => zip.addBuffer(Buffer.alloc(1_000), 'one', { compress: true }));
    const refused = { code: 'ADAPTER_INVALID', message: expect.stringContaining('larger than an adapter') };
    await expect(unzipOne(path, target, 'one', 999)).rejects.toMatchObject(refused);
    expect(await readdir(target)).toEqual([]);
    expect(await unzipOne(path, target, 'one', 1_000)).toBe(true);
  });

  it('says no size that an adapter never has', async () => {
    await zipped((zip) => zip.addBuffer(Buffer.from('x'), 'one', { compress: true }));
    const bytes = await readFile(path);
    bytes.writeUInt32LE(0xfffffff0, bytes.indexOf(Buffer.from('PK\u0001\u0002')) + 24);
    await writeFile(path, bytes);
    await refused();
    expect(await readdir(target)).toEqual([]);
  });

  it('is read or refused with a name, whatever its bytes are', async () => {
    await zipped((zip) => {
      zip.addBuffer(Buffer.from('first '.repeat(20)), 'one', { compress: true });
      zip.addBuffer(Buffer.from('second'), 'in/two', { compress: false });
    });
    const good = await readFile(path);
    const change = fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changed) => {
        const bytes = Buffer.from(good);
        for (const { at, byte } of changed) bytes[at] = byte;
        await writeFile(path, bytes);
        await rm(target, { recursive: true });
        await mkdir(target);
        const unzipped = (async () => {
          for (const name of WANTED) await unzipOne(path, target, name, MOST);
        })();
        const failure = await unzipped.then(
          () => undefined,
          (error: unknown) => error,
        );
        if (failure) expect(failure).toMatchObject({ code: 'ADAPTER_INVALID' });
        expect((await readdir(folder)).sort()).toEqual(['a.zip', 'out']);
      }),
      { numRuns: 200 },
    );
  });
});
