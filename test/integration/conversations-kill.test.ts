import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Conversations } from '../../src-main/conversations/conversations.ts';
import { ConversationStore } from '../../src-main/store/conversations/conversations.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import type { ToolUse, Turn } from '../../src-preload/contract/conversations.ts';
import { startChild } from '../support/killed-child.ts';
import { longFilesIn } from '../support/long-files.ts';
import { ROUNDS } from '../support/rounds.ts';

const CHILD = fileURLToPath(new URL('../support/conversation-child.ts', import.meta.url));
const KILLS = 2 * ROUNDS;
const LONGEST_LIFE_MS = 1_500;

interface Report {
  kept: 'question' | 'answer';
  turn: number;
  text: string;
  state?: string;
  uses?: ToolUse[];
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-talk-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Lets a child talk until it is killed, `afterMs` after its first report that is so. @returns what it had shown as kept */
async function talkUntilKilled(path: string, isSo: (report: Report) => boolean, afterMs: number): Promise<Report[]> {
  const child = startChild(CHILD, [path]);
  const reports: Report[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const report = JSON.parse(line) as Report;
    if (!reports.some(isSo) && isSo(report)) setTimeout(() => child.kill('SIGKILL'), afterMs);
    reports.push(report);
  });
  await Promise.all([once(child, 'exit'), once(lines, 'close')]);
  if (process.platform === 'win32') expect(child.exitCode).not.toBe(0);
  else expect(child.signalCode).toBe('SIGKILL');
  return reports;
}

/** All turns, after a new process has opened the database. */
async function reopened(path: string): Promise<Map<number, Turn>> {
  const db = await openDatabase(path);
  const store = new ConversationStore(db);
  const log = pino({ level: 'silent' });
  const conversations = new Conversations({
    store,
    longFiles: longFilesIn(db),
    ask: () => Promise.reject(new Error('nobody asks')) as never,
    log,
  });
  await conversations.open();
  const turns = new Map<number, Turn>();
  for (const { id } of await conversations.list({ limit: 500 })) {
    for (const turn of (await conversations.get(id)).turns) turns.set(turn.id, turn);
  }
  await conversations.close();
  await db.destroy();
  return turns;
}

function expectKept(turns: Map<number, Turn>, { kept, turn: id, text, state, uses }: Report): void {
  const turn = turns.get(id);
  if (kept === 'question') expect(turn).toMatchObject({ role: 'user', text });
  else expect(turn?.text.startsWith(text)).toBe(true);
  if (kept === 'answer') expect(turn?.answer?.uses).toEqual(uses);
  if (kept === 'answer' && state !== 'answering') expect(turn?.answer?.state).toBe(state);
}

it(`a process killed ${KILLS} times in the middle of answers loses nothing that it showed as kept`, async () => {
  const path = join(dir, 'talk.db');
  const isHalf = ({ state }: Report) => state === 'answering';
  for (let kill = 1; kill <= KILLS; kill++) {
    // Each other one with half an answer on the disk.
    const reports = await talkUntilKilled(path, kill % 2 ? () => true : isHalf, (kill / KILLS) * LONGEST_LIFE_MS);
    const turns = await reopened(path);
    for (const report of reports) expectKept(turns, report);
    const states = new Set([...turns.values()].map(({ answer }) => answer?.state));
    expect(states).not.toContain('answering');
    expect(states).toContain('interrupted');
  }
});
