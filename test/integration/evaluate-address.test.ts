import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { EvaluationAnswerView, EvaluationDetails } from '../../src-preload/contract/evaluation.ts';
import { LocalServer } from '../support/local-server.ts';
import { PlantedServer, type PlantedSkill } from '../support/planted-server.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

const PLAN = { seed: 'planted', samples: 2 };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function planted(skill: PlantedSkill): Promise<PlantedServer> {
  const server = await new PlantedServer(PLAN, skill).open();
  onTestFinished(() => server.close());
  return server;
}

const args = (...more: string[]) => ['evaluate', ...more, '--data', join(folder.path, 'data')];
const evaluation = ({ url }: PlantedServer, suites: string, lengths: string) =>
  args(url, '--suite', suites, '--lengths', lengths, '--seed', PLAN.seed, '--samples', String(PLAN.samples));

it('finds of a model at an address that knows every needle down to a depth, and lies at a rate, just that', async () => {
  const deepest = 0.7;
  const server = await planted({ deepest, lies: 0.25 });
  const went = await quarry([...evaluation(server, 'needle', '600,1200'), '--json']);
  expect([went.child.exitCode, went.stderr]).toEqual([0, expect.stringContaining('--seed planted')]);
  const { id, model, sha256, cells, plan }: EvaluationDetails = JSON.parse(went.stdout);
  expect({ model, sha256, target: plan.target }).toEqual({
    ...{ model: 'planted', sha256: null },
    target: { kind: 'address', url: server.url },
  });
  const asked = 30 * 2 * PLAN.samples;
  expect(server.given).toHaveLength(asked);
  expect(new Set(server.asked).size).toBe(asked);
  const { told = [], lied = [], missed = [] } = Object.groupBy(server.given, ({ outcome }) => outcome);
  // 18 of 30 variants lie above, 12 below; a quarter of what is found is told otherwise.
  expect(missed).toHaveLength((asked * 12) / 30);
  expect(lied.length / (told.length + lied.length)).toBeGreaterThan(0.1);
  expect(lied.length / (told.length + lied.length)).toBeLessThan(0.4);
  // The map: what is above is right but for the lies, what is below is not; and all of it together.
  expect(cells.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(told.length, 6);
  for (const { variant, depth, score } of cells) {
    const isBelow = /late|end/.test(variant);
    expect((depth ?? 0) > deepest, variant).toBe(isBelow);
    if (isBelow) expect(score, variant).toBe(0);
  }
  const shown = await quarry(args('show', id, '--answers', '--json'));
  const answers: EvaluationAnswerView[] = JSON.parse(shown.stdout);
  const byDepth = (rows: { depth: number | null }[]) => rows.map(({ depth }) => depth ?? 0).sort((a, b) => a - b);
  for (const [at, depth] of byDepth(answers).entries()) expect(depth).toBeCloseTo(byDepth(server.given)[at] ?? 9, 1);
  expect(answers.filter(({ score }) => score === 1)).toHaveLength(told.length);
  expect(answers.every(({ firstMs, totalMs }) => firstMs !== null && totalMs !== null && totalMs >= firstMs)).toBe(
    true,
  );
});

it('is killed amid a text, and goes on with nothing lost and nothing asked twice', async () => {
  const until = Promise.withResolvers<void>();
  const server: PlantedServer = await planted({
    before: () => {
      if (server.asked.length !== 38) return undefined;
      until.resolve();
      return new Promise(() => undefined); // it is being answered for ever
    },
  });
  const killed = new QuarryProcess(evaluation(server, 'needle,needles', '600'));
  await until.promise;
  await killed.stop('SIGKILL');
  const went = await quarry(args('resume', '--json'));
  expect([went.child.exitCode, went.stderr]).toEqual([0, expect.stringContaining('--seed planted')]);
  const { id, state, done, cells }: EvaluationDetails = JSON.parse(went.stdout);
  expect({ state, done }).toEqual({ state: 'done', done: (30 + 6) * PLAN.samples });
  const questions = (30 + 6 * 5) * PLAN.samples;
  expect(cells.reduce((sum, { asked, answered }) => sum + asked + answered, 0)).toBe(2 * questions);
  expect(cells.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(questions, 6);
  // The one that had no answer yet was asked again, and no other.
  expect(server.asked).toHaveLength(questions + 1);
  expect(new Set(server.asked).size).toBe(questions);
  expect(server.asked.filter((prompt) => prompt === server.asked[37])).toHaveLength(2);
  const answers: EvaluationAnswerView[] = JSON.parse((await quarry(args('show', id, '--answers', '--json'))).stdout);
  expect(answers).toHaveLength(questions);
});

it('sends a server a text of half a million tokens, as long as it counts them itself', async () => {
  const server = await planted({});
  // As most tokenizers do it: pieces of words, and what stands between them.
  const tokens = (text: string) => text.match(/ ?\p{L}{1,6}|\p{N}{1,3}|./gsu)?.length ?? 0;
  server.count = tokens;
  const went = await quarry([...evaluation(server, 'scaling', '512k'), '--json']);
  expect([went.child.exitCode, went.stderr]).toEqual([0, expect.stringContaining('--seed planted')]);
  const { cells, plan }: EvaluationDetails = JSON.parse(went.stdout);
  expect(plan.lengths).toEqual([512_000]);
  expect(cells.reduce((sum, { score }) => sum + score, 0)).toBe(PLAN.samples);
  expect(server.asked).toHaveLength(PLAN.samples);
  for (const prompt of server.asked) {
    expect(Buffer.byteLength(prompt)).toBeGreaterThan(1_500_000);
    expect(Math.abs(tokens(prompt) - 512_000)).toBeLessThanOrEqual(5_120);
  }
});

it('sends the key of the environment to the server that is named, and to no other than the settings name', async () => {
  const keys: (string | undefined)[] = [];
  const server = new LocalServer((request, response) => {
    keys.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  await server.open();
  onTestFinished(() => server.close());
  const key = { QUARRY_REMOTE_API_KEY: 'sk-0123456789abcdef' };
  const refused = await quarry(args(`${server.origin}/v1`), key);
  expect([refused.child.exitCode, keys]).toEqual([1, [`Bearer ${key.QUARRY_REMOTE_API_KEY}`]]);
  expect(refused.stderr).toContain('The key is the one that the settings have');
  await quarry(args(`${server.origin}/v1`), { ...key, QUARRY_REMOTE_BASE_URL: 'https://elsewhere.example/v1' });
  expect(keys).toEqual([`Bearer ${key.QUARRY_REMOTE_API_KEY}`, undefined]);
  const kept = await readFile(join(folder.path, 'data', 'quarry.db'));
  expect(kept.includes(key.QUARRY_REMOTE_API_KEY)).toBe(false);
});
