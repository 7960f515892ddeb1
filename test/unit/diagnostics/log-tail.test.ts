import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogLines } from '../../../src-main/diagnostics/log-lines.ts';
import { followLog, lastLogLines } from '../../../src-main/diagnostics/log-tail.ts';

let dataDir: string;
let leave: AbortController;
const followed: AsyncGenerator<string[]>[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quarry-log-'));
  leave = new AbortController();
});

afterEach(async () => {
  leave.abort();
  for (const log of followed.splice(0)) await log.return(undefined);
  await rm(dataDir, { recursive: true, force: true });
});

const path = () => join(dataDir, 'quarry.log');
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `{"n":${from + index}}\n`).join('');
const numbers = (lines: string[]) => lines.map((line) => JSON.parse(line).n as number);

function follow(lookMs = 5): AsyncGenerator<string[]> {
  const log = followLog(dataDir, leave.signal, { lookMs });
  followed.push(log);
  return log;
}

/** Lines from a follower until there are this many. */
async function take(log: AsyncGenerator<string[]>, count: number): Promise<string[]> {
  const lines: string[] = [];
  while (lines.length < count) {
    const { value, done } = await log.next();
    if (done) break;
    lines.push(...value);
  }
  return lines;
}

describe('lastLogLines', () => {
  it('reads the end of the log, reaching into the file that was set aside', async () => {
    await writeFile(`${path()}.1`, numbered(0, 5));
    await writeFile(path(), numbered(5, 8));
    expect(numbers(await lastLogLines(dataDir, 6, 10_000))).toEqual([2, 3, 4, 5, 6, 7]);
    expect(numbers(await lastLogLines(dataDir, 2, 10_000))).toEqual([6, 7]);
    expect(numbers(await lastLogLines(dataDir, 100, 10_000))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('reads no more than it may, and shows no half line', async () => {
    await writeFile(`${path()}.1`, numbered(0, 5));
    await writeFile(path(), numbered(10, 20)); // nine bytes a line
    expect(numbers(await lastLogLines(dataDir, 100, 25))).toEqual([18, 19]);
  });

  it('finds nothing where there is no log', async () => {
    expect(await lastLogLines(dataDir, 10, 10_000)).toEqual([]);
  });
});

describe('followLog', () => {
  it('begins with the last 500 lines, then tells the new ones', async () => {
    await writeFile(`${path()}.1`, numbered(0, 400));
    await writeFile(path(), numbered(400, 700));
    const log = follow();
    expect(numbers((await log.next()).value as string[])).toEqual(
      Array.from({ length: 500 }, (_, index) => 200 + index),
    );
    const next = take(log, 2);
    await appendFile(path(), numbered(700, 702));
    expect(numbers(await next)).toEqual([700, 701]);
  });

  it('loses no line when the file is set aside for a new one', async () => {
    await writeFile(path(), numbered(0, 1));
    const log = follow();
    await log.next();
    await appendFile(path(), numbered(1, 3));
    await rename(path(), `${path()}.1`);
    await writeFile(path(), numbered(3, 5));
    expect(numbers(await take(log, 4))).toEqual([1, 2, 3, 4]);
  });

  it('begins at the start again when the file was emptied', async () => {
    await writeFile(path(), numbered(100, 200));
    const log = follow();
    await log.next();
    await truncate(path());
    await appendFile(path(), numbered(0, 1));
    expect(numbers(await take(log, 1))).toEqual([0]);
  });

  it('waits for a log that is not there yet', async () => {
    const log = follow();
    expect((await log.next()).value).toEqual([]);
    const next = take(log, 1);
    await writeFile(path(), numbered(0, 1));
    expect(numbers(await next)).toEqual([0]);
  });

  it('tells a line when it is complete, whole characters and all', async () => {
    const [first, second] = [Buffer.from('{"n":1,"text":"ü').subarray(0, -1), Buffer.from('{"n":1,"text":"ü"}\n')];
    await writeFile(path(), numbered(0, 1));
    const log = follow();
    await log.next();
    const next = take(log, 1);
    await appendFile(path(), first);
    await appendFile(path(), second.subarray(first.length));
    expect(await next).toEqual(['{"n":1,"text":"ü"}']);
  });

  it('ends with its signal while it waits', async () => {
    await writeFile(path(), numbered(0, 1));
    const log = follow(3_600_000);
    await log.next();
    const next = log.next();
    leave.abort();
    expect(await next).toEqual({ value: undefined, done: true });
  });
});

describe('LogLines', () => {
  it('cuts a line that never ends, and goes on with the one after it', async () => {
    await writeFile(path(), `${'a'.repeat(1_000_000)}\n${numbered(0, 1)}`);
    const file = await LogLines.open(path());
    const lines = [...(await file!.read()), ...(await file!.read())];
    await file!.close();
    expect(lines[0]).toMatch(/^a+…$/);
    expect(lines[0]!.length).toBe(65_537);
    expect(lines.slice(1)).toEqual(['{"n":0}']);
  });
});
