import { createHash } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hotpotRows } from '../../../../../../src-main/subnets/quasar/tasks/published/hotpot-rows.ts';
import { longBenchRows } from '../../../../../../src-main/subnets/quasar/tasks/published/longbench-rows.ts';
import { indexRows, MOST_TEXT_BYTES } from '../../../../../../src-main/subnets/quasar/tasks/published/row-index.ts';
import { sentence } from '../../../../../../src-preload/contract/saying.ts';
import { folderOf, hotpotRow, longBenchLine } from './support.ts';

const NAME = 'narrativeqa.jsonl';
const rows = longBenchRows('narrativeqa');

async function indexOf(content: string | Uint8Array) {
  return indexRows(join(await folderOf({ [NAME]: content }), NAME), rows);
}

describe('the rows of a published file', () => {
  it('are read again from where they stand, one by one', async () => {
    const lines = Array.from({ length: 300 }, (_, index) =>
      longBenchLine({ _id: `row ${index}`, context: `ä${'x'.repeat(index * 37)}€` }),
    );
    const content = `${lines.join('\r\n\n')}`;
    const index = await indexOf(content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(index).toMatchObject({ file: NAME, sha256, rows: 300, skipped: 0, faults: [] });
    for (const at of [299, 0, 123]) {
      const { row, id } = await index.read(at);
      expect([id, row.context.length]).toEqual([`row ${at}`, at * 37 + 2]);
    }
  });

  it('are named by their number where they have no name', async () => {
    const index = await indexOf(`\n${longBenchLine({ _id: null })}`);
    expect((await index.read(0)).id).toBe('2');
  });

  it('are left out where they are hostile, each named by file and row', async () => {
    const deep = `${'{"context":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const bad: (string | Buffer)[] = [
      longBenchLine({ context: 'x'.repeat(MOST_TEXT_BYTES) }),
      deep,
      'no JSON',
      '[]',
      longBenchLine({ answers: 'she' }),
      longBenchLine({ answers: [] }),
      longBenchLine({ context: 7 }),
      longBenchLine({ context: 'a\0b' }),
      longBenchLine().replace('It was', '\\ud83d It was'),
      Buffer.concat([Buffer.from('{"context":"'), Buffer.from([0xf0, 0x9f]), Buffer.from('"}')]),
      longBenchLine({ dataset: 'qasper' }),
    ];
    const index = await indexOf(
      Buffer.concat([...bad, longBenchLine()].flatMap((one) => [Buffer.from(one), Buffer.from('\n')])),
    );
    expect(index).toMatchObject({ rows: 1, skipped: bad.length });
    const told = index.faults.map((fault) => sentence(fault));
    expect(told).toHaveLength(10);
    for (const [place, fault] of told.entries()) expect(fault).toContain(`${NAME}, row ${place + 1}: `);
    expect(told[0]).toContain('longer than 8.4 MB');
    expect(told[1]).toContain('nest too deep');
    expect(told[4]).toContain('answers must be a list');
    expect(told[7]).toContain('context holds control characters');
    expect((await index.read(0)).row.answers).toEqual(['she']);
  });

  it('are an error where none is good, or none is there', async () => {
    await expect(indexOf('{}\n[]\n')).rejects.toThrow(/No row of .*narrativeqa.jsonl, row 1: .* is missing/);
    await expect(indexOf('\n \n')).rejects.toThrow('There is no row in');
  });

  it('are not taken from a file that was changed since', async () => {
    const folder = await folderOf({ [NAME]: longBenchLine() });
    const index = await indexRows(join(folder, NAME), rows);
    await appendFile(join(folder, NAME), '\n');
    expect((await index.read(0)).id).toBe('a1');
    await writeFile(join(folder, NAME), longBenchLine({ context: 'It was he.' }));
    await expect(index.read(0)).rejects.toThrow('was changed since it was opened');
  });

  it('are of a file, not of a folder, and can be given up', async () => {
    const folder = await folderOf();
    await mkdir(join(folder, NAME));
    await expect(indexRows(join(folder, NAME), rows)).rejects.toThrow('is no file');
    const other = await folderOf({ [NAME]: longBenchLine() });
    await expect(indexRows(join(other, NAME), rows, AbortSignal.abort(new Error('enough')))).rejects.toThrow();
  });

  it('stand in one list in the files of HotpotQA', async () => {
    const list = [
      hotpotRow(),
      hotpotRow({ supporting_facts: [['Three', 0]] }),
      hotpotRow({ context: 'One' }),
      hotpotRow({ _id: 'ä€' }),
      hotpotRow({ type: 'riddle' }),
    ];
    const content = JSON.stringify(list, null, 1);
    const path = join(await folderOf({ 'list.json': content }), 'list.json');
    const index = await indexRows(path, hotpotRows);
    expect(index).toMatchObject({ rows: 2, skipped: 3 });
    expect(index.faults.map((fault) => sentence(fault)).join(' ')).toMatch(
      /row 2: the answer follows from «Three».* row 3: context must be a list/,
    );
    expect((await index.read(1)).id).toBe('ä€');
    await writeFile(path, content.slice(0, content.indexOf('ä€')));
    expect(await indexRows(path, hotpotRows)).toMatchObject({ rows: 1, skipped: 4 });
  });
});
