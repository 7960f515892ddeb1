import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProgramRun } from '../../src-main/sandbox/program-sandbox.ts';
import { PythonSandbox } from '../../src-main/sandbox/python-sandbox.ts';
import { HOSTILE_DEEDS, type HostileProgram, hostilePrograms } from '../support/hostile-programs.ts';
import { ROUNDS } from '../support/rounds.ts';

let sandbox: PythonSandbox;
let programs: Map<string, HostileProgram>;
let home: string;
let folder: string;
let server: Server;
let asked = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'quarry-hostile-'));
  folder = await mkdtemp(join(tmpdir(), 'quarry-secret-'));
  const secret = join(folder, 'secret');
  await writeFile(secret, 'the secret');
  process.env.QUARRY_SECRET = 'the secret';
  server = createServer((_, response) => void response.end('the secret')).listen(0, '127.0.0.1');
  server.on('connection', () => asked++);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  programs = new Map(hostilePrograms({ secret, folder, port: String(port) }).map((each) => [each.does, each]));
  sandbox = new PythonSandbox({ runMs: 3_000, folder: home });
});
afterAll(async () => {
  delete process.env.QUARRY_SECRET;
  await sandbox.close();
  server.close();
  for (const each of [home, folder]) await rm(each, { recursive: true });
});

/** For whoever may not be late: this machine may have much else to do. */
const PATIENT = { time: { runMs: 3_600_000, programMs: 3_600_000 } };

const words = (run: ProgramRun) => (run.outcome === 'ran' ? run.stdout + run.stderr : '');

/** A few of each kind, for every day: each is a process. */
const EVERY_DAY = [
  'forks without an end',
  'connects',
  'reads a file of this account',
  'mounts folders with Pyodide',
  'waits at the prototypes for an object of Node',
  'takes memory of JavaScript outside of its heap',
  'exits at once',
  'closes its streams',
];
/** Of the others a third; all of them with QUARRY_TEST_ROUNDS=2. */
const OTHERS = HOSTILE_DEEDS.filter((does) => !EVERY_DAY.includes(does)).filter((_, at) => ROUNDS > 1 || at % 3 === 0);

describe('a hostile program', () => {
  it.each(EVERY_DAY)('that %s ends in a verdict, and harms nobody', harmsNobody);
  it.each(OTHERS)('that %s ends in a verdict, and harms nobody', { tags: ['long', 'seldom'] }, harmsNobody);
});

async function harmsNobody(does: string): Promise<void> {
  const { program, inputs = [''], ends = /^(ran|late|died)$/, says = /^/ } = programs.get(does) as HostileProgram;
  const runs = await sandbox.run(program, inputs, ends.test('late') ? {} : PATIENT);
  expect(runs.map(({ outcome }) => outcome)).toEqual(runs.map(() => expect.stringMatching(ends)));
  expect(runs.length === inputs.length || runs.at(-1)?.outcome !== 'ran').toBe(true);
  for (const run of runs) {
    expect(words(run)).not.toMatch(/^got:|the secret|uid=\d|root:/m);
    if (run.outcome === 'ran') expect(words(run)).toMatch(says);
  }
  expect(asked).toBe(0);
  expect(await readdir(folder)).toEqual(['secret']);
  expect(await sandbox.run('print("still here")', [''], PATIENT)).toMatchObject([
    { outcome: 'ran', stdout: 'still here\n', stderr: '' },
  ]);
}
