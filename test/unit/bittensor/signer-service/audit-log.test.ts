import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AuditLog } from '../../../../src-main/bittensor/signer-service/audit-log.ts';
import { type AuditLine, readAudit } from '../../../../src-main/bittensor/signer-service/audit-reading.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

let path: string;
beforeEach(async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  path = join(folder.path, 'signer-audit.jsonl');
});

const read = () => Array.fromAsync(readAudit(path));
const events = (lines: AuditLine[]) => lines.map(({ entry, fault }) => fault ?? entry?.event ?? 'torn');
const lines = async () => (await readFile(path, 'utf8')).split('\n').slice(0, -1);
const opened = async () => {
  const log = new AuditLog(path, { now: () => 1_800_000_000_000 });
  await log.open({ hotkey: '5…' });
  onTestFinished(() => log.close());
  return log;
};

/** A log of five lines, closed. */
async function written(): Promise<string[]> {
  const log = await opened();
  for (const netuid of [1, 2, 3]) await log.append({ event: 'set_weights', outcome: 'asked', netuid });
  await log.close();
  return lines();
}

describe('an audit log', () => {
  it('has a line for all that was told, which its owner alone may read', async () => {
    await written();
    const all = await read();
    expect(events(all)).toEqual(['start', 'set_weights', 'set_weights', 'set_weights', 'stop']);
    expect(all[1]?.entry).toEqual({
      at: '2027-01-15T08:00:00.000Z',
      event: 'set_weights',
      outcome: 'asked',
      netuid: 1,
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('goes on where it was, and knows its newest line', async () => {
    await written();
    const log = await opened();
    await log.open();
    expect(events(await read())).toEqual(['start', 'set_weights', 'set_weights', 'set_weights', 'stop', 'start']);
    expect((await read()).at(-1)?.hash).toBe(log.newest);
  });

  it('keeps the order of those who tell it at once', async () => {
    const log = await opened();
    await Promise.all([1, 2, 3, 4].map((netuid) => log.append({ event: 'sign', netuid })));
    expect((await read()).map(({ entry }) => entry?.netuid)).toEqual([undefined, 1, 2, 3, 4]);
    expect(events(await read())).not.toContain('changed');
  });

  it.each([
    [
      'a line was edited',
      (all: string[]) => all.map((line, at) => (at === 1 ? line.replace('"netuid":1', '"netuid":9') : line)),
      3,
    ],
    ['one was taken out', (all: string[]) => all.toSpliced(1, 1), 2],
    ['one was put in', (all: string[]) => all.toSpliced(1, 0, all[1]!), 3],
    ['two were exchanged', (all: string[]) => [all[0]!, all[2]!, all[1]!, ...all.slice(3)], 2],
    ['the first was taken out', (all: string[]) => all.slice(1), 1],
    ['one is no JSON', (all: string[]) => all.map((line, at) => (at === 1 ? line.slice(5) : line)), 2],
  ])('shows that %s', async (_, change, at) => {
    const all = await written();
    await writeFile(
      path,
      change(all)
        .map((line) => `${line}\n`)
        .join(''),
    );
    expect((await read()).find(({ fault }) => fault)?.number).toBe(at);
  });

  it('tells by the hash of the newest line that lines are missing at the end', async () => {
    const log = await opened();
    await log.append({ event: 'sign' });
    const { newest } = log;
    await log.close();
    const all = await lines();
    await writeFile(path, `${all[0]}\n`);
    expect((await read()).some(({ fault }) => fault)).toBe(false);
    expect((await read()).some(({ hash }) => hash === newest)).toBe(false);
  });

  it('goes on after half a line, as a power cut leaves it, which is no fault; half a line in the middle is', async () => {
    await written();
    const { size } = await stat(path);
    await truncate(path, size - 20);
    expect(events(await read()).at(-1)).toBe('unreadable');
    const log = await opened();
    await log.append({ event: 'sign' });
    expect(events(await read()).slice(-3)).toEqual(['torn', 'start', 'sign']);
    await log.close();
    await appendFile(path, 'half a line\n{}\n');
    expect(events(await read()).slice(-2)).toEqual(['unreadable', 'changed']);
  });

  it('takes nothing more after it could not be written: nothing is done unseen', async () => {
    const log = await opened();
    const circular: Record<string, unknown> = { event: 'sign' };
    circular.self = circular;
    await expect(log.append(circular as never)).rejects.toThrow();
    await log.append({ event: 'sign' }); // that was no fault of the disk
    const full = new AuditLog('/dev/full');
    await expect(full.open()).rejects.toMatchObject({ code: expect.stringMatching(/ENOSPC|EINVAL|EPERM/) });
    await expect(full.append({ event: 'sign' })).rejects.toThrow();
    expect([log.failure, full.failure]).toEqual([undefined, expect.anything()]);
  });

  it('does not begin on a file that is none', async () => {
    await writeFile(path, 'x'.repeat(300 << 10));
    await expect(new AuditLog(path).open()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(events(await read())).toEqual(['unreadable']);
  });

  it('that was never begun has no lines', async () => {
    expect(await read()).toEqual([]);
  });
});
