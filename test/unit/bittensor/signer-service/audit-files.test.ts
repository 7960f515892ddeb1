import { link, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { giveNumber } from '../../../../src-main/bittensor/signer-service/audit-files.ts';
import { AuditLog } from '../../../../src-main/bittensor/signer-service/audit-log.ts';
import { type AuditLine, readAudit } from '../../../../src-main/bittensor/signer-service/audit-reading.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

let folder: string;
beforeEach(async () => {
  const made = await temporaryFolder();
  onTestFinished(() => made.remove());
  folder = made.path;
});

const MOST_BYTES = 1_000;
const current = () => join(folder, 'signer-audit.jsonl');
const full = (number: number) => join(folder, `signer-audit-${String(number).padStart(6, '0')}.jsonl`);
const names = async () => (await readdir(folder)).sort();
const read = () => Array.fromAsync(readAudit(current()));
const faults = (lines: AuditLine[]) =>
  lines.flatMap(({ file, number, fault }) => (fault ? [[file, number, fault]] : []));

async function opened(): Promise<AuditLog> {
  const log = new AuditLog(current(), { mostBytes: MOST_BYTES });
  onTestFinished(() => log.close());
  await log.open({ hotkey: '5…' });
  return log;
}

async function sign(log: AuditLog, ...requests: number[]): Promise<void> {
  for (const request of requests) await log.append({ event: 'sign', outcome: 'asked', request: `r${request}` });
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** A log of four files or so, closed. */
async function written(): Promise<string[]> {
  const log = await opened();
  await sign(log, ...range(1, 20));
  await log.close();
  return names();
}

const requests = (lines: AuditLine[]) => lines.flatMap(({ entry }) => entry?.request ?? []);
const everyRequest = range(1, 20).map((request) => `r${request}`);

describe('an audit log of several files', () => {
  it('gives a file that is full a number, and goes on after its last line', async () => {
    const files = await written();
    expect(files.length).toBeGreaterThan(3);
    expect(files).toEqual(
      [...range(1, files.length - 1).map((n) => full(n)), current()].map((path) => path.slice(folder.length + 1)),
    );
    const lines = await read();
    expect(faults(lines)).toEqual([]);
    expect(requests(lines)).toEqual(everyRequest);
    const begun = lines.filter(({ file, number }) => number === 1 && file !== 'signer-audit-000001.jsonl');
    expect(begun.map(({ entry }) => [entry?.event, entry?.after])).toEqual(
      files.slice(0, -1).map((name) => ['continue', name]),
    );
    for (const name of files) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    for (const name of files.slice(0, -1)) expect((await stat(join(folder, name))).size).toBeLessThan(MOST_BYTES + 300);
  });

  it('goes on in the last one after a restart, whatever stands in the others: only who checks them reads them', async () => {
    await written();
    const whole = await readFile(full(1));
    await writeFile(full(1), Buffer.alloc(1 << 20));
    const log = await opened();
    await sign(log, 21);
    await log.close();
    await writeFile(full(1), whole);
    const lines = await read();
    expect(faults(lines)).toEqual([]);
    expect(requests(lines)).toEqual([...everyRequest, 'r21']);
  });

  it.each([
    ['the first', [1], 2],
    ['one in the middle', [2], 3],
    ['two', [1, 2], 3],
  ])('tells that %s is missing, which ones, and how the last of them ended', async (_, gone, next) => {
    await written();
    const end = (await read()).findLast(({ file }) => full(next - 1).endsWith(file))?.hash;
    for (const number of gone) await rm(full(number));
    const lines = await read();
    expect(faults(lines)).toEqual([[full(next).slice(folder.length + 1), 1, 'missing']]);
    const [from, to] = [gone[0]!, gone.at(-1)!].map((number) => full(number).slice(folder.length + 1));
    expect(lines.find(({ fault }) => fault)?.missing).toEqual({ from, to, hash: end });
  });

  it('tells that the last full one is missing, or all of them, or one was emptied', async () => {
    const files = await written();
    const last = files.length - 1;
    await rename(full(last), join(folder, 'elsewhere'));
    expect(faults(await read())).toEqual([['signer-audit.jsonl', 1, 'missing']]);
    await rename(join(folder, 'elsewhere'), full(last));
    expect(faults(await read())).toEqual([]);
    const whole = await readFile(full(2));
    await truncate(full(2), 0);
    expect(faults(await read())).toEqual([['signer-audit-000003.jsonl', 1, 'missing']]);
    await writeFile(full(2), whole);
    await mkdir(join(folder, 'archive'));
    for (const number of range(1, last)) await rename(full(number), join(folder, 'archive', String(number)));
    expect((await read()).find(({ fault }) => fault)?.missing).toMatchObject({
      ...{ from: 'signer-audit-000001.jsonl', to: files[last - 1] },
    });
  });

  it('does not take a number again whose file lies elsewhere by now', async () => {
    const files = await written();
    for (const name of files.slice(0, -1)) await rm(join(folder, name));
    const log = await opened();
    await sign(log, ...range(21, 30));
    const next = files.length;
    expect(await names()).toContain(full(next).slice(folder.length + 1));
    expect((await names()).filter((name) => name < full(next).slice(folder.length + 1))).toEqual([]);
    expect(faults(await read()).length).toBe(1);
  });

  it.each([
    ['changed', (text: string) => text.replace('"request":"r', '"request":"x')],
    ['cut off at its end', (text: string) => text.split('\n').slice(0, -2).join('\n').concat('\n')],
  ])('tells of a full file that was %s', async (_, change) => {
    await written();
    await writeFile(full(2), change(await readFile(full(2), 'utf8')));
    const [first, ...more] = faults(await read());
    expect(first?.[2]).toBe('changed');
    expect(more).toEqual([]);
  });

  it('tells of two full files that were exchanged', async () => {
    await written();
    await rename(full(1), join(folder, 'x'));
    await rename(full(2), full(1));
    await rename(join(folder, 'x'), full(2));
    expect(faults(await read()).length).toBeGreaterThan(1);
  });

  it('is read whole while it is written, and files become full', async () => {
    const log = await opened();
    await sign(log, ...range(1, 8));
    const seen: AuditLine[] = [];
    for await (const line of readAudit(current())) {
      seen.push(line);
      if (seen.length === 2) await sign(log, ...range(9, 20));
    }
    expect(faults(seen)).toEqual([]);
    expect(requests(seen)).toEqual(everyRequest);
  });

  it('is gone on with in the same file where that cannot get its number, and says so', async () => {
    const log = await opened();
    await mkdir(join(folder, 'x'));
    await rename(current(), join(folder, 'x', 'moved')); // what is not there gets no number
    await sign(log, ...range(1, 12));
    await rename(join(folder, 'x', 'moved'), current());
    const lines = await read();
    expect(lines.filter(({ entry }) => entry?.event === 'not_continued').map(({ entry }) => entry?.error)).toEqual(
      expect.arrayContaining(['ENOENT']),
    );
    expect(faults(lines)).toEqual([]);
    expect(requests(lines)).toEqual(range(1, 12).map((request) => `r${request}`));
  });
});

describe('the number of a file that is full', () => {
  it('replaces no file that has it already', async () => {
    await writeFile(current(), 'new');
    await writeFile(full(1), 'old');
    await expect(giveNumber(current(), 1)).rejects.toMatchObject({ code: 'EEXIST' });
    expect([await readFile(current(), 'utf8'), await readFile(full(1), 'utf8')]).toEqual(['new', 'old']);
    await giveNumber(current(), 2);
    expect(await names()).toEqual(['signer-audit-000001.jsonl', 'signer-audit-000002.jsonl']);
  });

  it('has fifteen digits at most: behind the last one, the file is gone on with', async () => {
    const last = 999_999_999_999_999;
    await writeFile(full(last - 1), '');
    const log = await opened();
    await sign(log, ...range(1, 20));
    await log.close();
    expect(await names()).toEqual([full(last - 1), full(last), current()].map((path) => path.slice(folder.length + 1)));
    const lines = await read();
    expect(requests(lines)).toEqual(everyRequest);
    expect(lines.find(({ entry }) => entry?.event === 'not_continued')?.entry?.error).toBe('ERANGE');
  });
});

describe('a signer that is killed while a file becomes full', () => {
  /** The state after each step, made of a log that is on its way into its second file. */
  async function between(): Promise<string[]> {
    const log = await opened();
    for (let request = 1; (await names()).length < 2; request++) await sign(log, request);
    await log.close();
    return (await readFile(current(), 'utf8')).split('\n');
  }

  it.each([
    ['before it got its number', async () => rename(full(1), current())],
    ['when it has its number, and its name as well', async () => rm(current()).then(() => link(full(1), current()))],
    ['before there is another one', async () => rm(current())],
    ['when that is empty', async () => truncate(current(), 0)],
    ['amid its first line', async ([first = '']: string[]) => writeFile(current(), first.slice(0, 40))],
    ['before the end of its first line', async ([first = '']: string[]) => writeFile(current(), first)],
    ['after its first line', async ([first = '']: string[]) => writeFile(current(), `${first}\n`)],
    [
      'amid its second line',
      async ([first = '', second = '']: string[]) => writeFile(current(), `${first}\n${second.slice(0, 9)}`),
    ],
  ])('leaves a log that is gone on with: %s', async (_, left) => {
    const lines = await between();
    await left(lines);
    const before = requests(await read());
    const log = await opened();
    await sign(log, 91, 92, 93, 94, 95, 96, 97, 98);
    await log.close();
    const after = await read();
    expect(faults(after)).toEqual([]);
    expect(requests(after)).toEqual([...before, ...range(91, 98).map((request) => `r${request}`)]);
    // The file that got its number is missed in any case.
    await rm(full(1));
    expect(faults(await read())[0]?.[2]).toBe('missing');
  });

  it('twice in the same moment, too', async () => {
    await between();
    await rm(current());
    for (let kill = 0; kill < 3; kill++) {
      const log = await opened();
      await log.close();
      await writeFile(current(), (await readFile(current(), 'utf8')).slice(0, 30)); // amid its first line
    }
    const log = await opened();
    await sign(log, 91);
    expect(faults(await read())).toEqual([]);
  });
});
