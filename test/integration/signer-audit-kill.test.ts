import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { readAudit } from '../../src-main/bittensor/signer-service/audit-reading.ts';
import { startChild } from '../support/killed-child.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/signer-audit-child.ts', import.meta.url));
const KILLS = 12 * ROUNDS;

/** @returns what was on the disk by its word, when it was killed a moment after some lines: more each round, whatever a line takes here */
async function writeUntilKilled(path: string, round: number): Promise<string[]> {
  const child = startChild(CHILD, [path, String(round)]);
  const kept: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const { kept: one } = JSON.parse(line);
    if (one) kept.push(one);
    if (kept.length === 1 + (round % 8)) setTimeout(() => child.kill('SIGKILL'), Math.random() * 10);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  return kept;
}

it(`an audit log whose signer is killed ${KILLS} times has every line that was promised, in files that go on one after the other`, async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'signer-audit.jsonl');
  const kept: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    kept.push(...(await writeUntilKilled(path, round)));
    const lines = await Array.fromAsync(readAudit(path));
    // Half a line at the very end is explained by the next start.
    expect(lines.slice(0, -1).filter(({ fault }) => fault)).toEqual([]);
    const there = new Set(lines.map(({ entry }) => entry?.request));
    expect(kept.filter((request) => !there.has(request))).toEqual([]);
  }
  expect((await readdir(folder.path)).length).toBeGreaterThan(KILLS);
});
