import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rowFile } from '../../../../src-main/validation/datasets/row-file.ts';
import { MOST_ROW_BYTES, type SourceRow } from '../../../../src-main/validation/datasets/source-row.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-rows-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function rowsOf(content: string | Buffer, name = 'rows.jsonl') {
  const path = join(dir, name);
  await writeFile(path, content);
  const rows: SourceRow[] = [];
  let last: number | null = null;
  for await (const some of rowFile(path).read()) {
    rows.push(...some.rows);
    expect(some.share).toBeGreaterThanOrEqual(last ?? 0);
    last = some.share;
  }
  expect(last).toBe(1);
  return rows;
}
const faultsIn = (rows: SourceRow[]) =>
  rows.flatMap((row) => ('fault' in row && typeof row.fault === 'object' ? [[row.line, row.fault.key]] : []));

describe('a file of rows', () => {
  it('has a row in each line that is not empty, whatever ends the lines', async () => {
    expect(await rowsOf('{"a":1}\r\n\n  \n[2]\n"drei"')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 4, value: [2] },
      { line: 5, value: 'drei' },
    ]);
    expect(await rowsOf('')).toEqual([]);
    expect(await rowsOf('\ufeff{"a":1}\n')).toEqual([{ line: 1, value: { a: 1 } }]);
  });

  it('may be packed', async () => {
    expect(await rowsOf(gzipSync('{"a":1}\n{"a":2}\n'), 'rows.jsonl.GZ')).toMatchObject([{ line: 1 }, { line: 2 }]);
  });

  it('has lines that are longer than a piece of it', async () => {
    const long = 'ä'.repeat(300_000);
    const rows = await rowsOf(`${JSON.stringify(long)}\n1\n${JSON.stringify(long)}`);
    expect(rows).toEqual([
      { line: 1, value: long },
      { line: 2, value: 1 },
      { line: 3, value: long },
    ]);
  });

  it('tells for each line that is no row why', async () => {
    const bad = Buffer.concat([
      Buffer.from(`{"a":\n"${'x'.repeat(MOST_ROW_BYTES)}"\n${'['.repeat(100)}\n`),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from('1\n'),
    ]);
    const rows = await rowsOf(bad);
    expect(faultsIn(rows)).toEqual([
      [1, 'datasets.noJson'],
      [2, 'datasets.rowTooLong'],
      [3, 'datasets.rowTooMuch'],
      [4, 'datasets.noJson'],
    ]);
    expect(rows.at(-1)).toEqual({ line: 5, value: 1 });
  });

  it('is refused where it is none', async () => {
    const read = async (path: string) => Array.fromAsync(rowFile(path).read());
    const key = (name: string) => ({ code: 'BAD_REQUEST', said: { message: { key: `datasets.${name}` } } });
    await expect(read('rows.jsonl')).rejects.toMatchObject(key('notAbsolute'));
    await expect(read(dir)).rejects.toMatchObject(key('notFile'));
    await expect(read(join(dir, 'none'))).rejects.toMatchObject(key('unreadable'));
    await expect(rowsOf('no gzip', 'rows.gz')).rejects.toMatchObject(key('badGzip'));
    await expect(rowsOf(gzipSync('1\n').subarray(0, 12), 'rows.gz')).rejects.toMatchObject(key('badGzip'));
  });

  it('that has far more in it once it is unpacked is given up', async () => {
    const path = join(dir, 'bomb.gz');
    await writeFile(path, gzipSync(Buffer.alloc(8 << 20)));
    let pieces = 0;
    const all = (async () => {
      for await (const _ of rowFile(path, 2 << 20).read()) pieces++;
    })();
    await expect(all).rejects.toMatchObject({ said: { message: { key: 'datasets.tooLarge' } } });
    expect(pieces).toBeGreaterThan(0);
  });

  it('is read no further once nobody wants it', async () => {
    await writeFile(join(dir, 'rows'), '1\n'.repeat(1_000_000));
    const ending = new AbortController();
    const all = (async () => {
      for await (const _ of rowFile(join(dir, 'rows')).read(ending.signal)) ending.abort(new Error('enough'));
    })();
    await expect(all).rejects.toThrow('enough');
  });
});
