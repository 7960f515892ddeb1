import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sha256OfFile } from '../../src-main/base/sha256.ts';
import { checkGguf } from '../../src-main/gguf/model-file.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { VersionFiles } from '../../src-main/learning/adapters/version-files.ts';
import type { AdapterBase } from '../../src-main/learning/adapters/version-intake.ts';
import { Versions } from '../../src-main/learning/adapters/versions.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { writeAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import { writePeft } from '../../src-main/learning/formats/peft-adapter.ts';
import { AdapterStore } from '../../src-main/store/learning/learning-adapters.ts';
import { TINY_MODEL, tinyEngine } from '../support/engine.ts';
import { madeAdapter } from '../support/made-adapter.ts';
import { memoryDatabase } from '../support/memory-database.ts';
import { findRealModel, SMOLLM2 } from '../support/real-models.ts';

/** `npm run test:models` fetches it. */
const real = (await findRealModel(SMOLLM2)) ?? '';

let engine: LocalBackend;
let folder: string;
let base: AdapterBase;
let versions: Versions;

/** A model with nothing learnt yet, for as long as the test lasts. */
async function opened(modelPath: string): Promise<void> {
  engine = tinyEngine({ modelPath });
  folder = await mkdtemp(join(tmpdir(), 'quarry-undo-'));
  const db = await memoryDatabase();
  onTestFinished(async () => {
    await engine.close();
    await db.destroy();
    await rm(folder, { recursive: true });
  });
  const { header } = await checkGguf(modelPath);
  base = { sha256: await sha256OfFile(modelPath), name: 'small', shape: baseShape(header) };
  versions = new Versions({ store: new AdapterStore(db), files: new VersionFiles(join(folder, 'adapters')) });
  await versions.open();
  await engine.open();
}

/** Takes in what a trainer could have written, an adapter that changes much; from now on it answers. */
async function learnt(seed: number, parent: string | null): Promise<string> {
  const trained = join(folder, `step-${seed}`);
  const adapter = madeAdapter(base.shape, { seed });
  await mkdir(trained);
  await writePeft(trained, adapter, base.name);
  await writeAdapterGguf(join(trained, 'adapter.gguf'), adapter, base.shape);
  const of = { name: 'personal', base, parent, feedback: [], metrics: null, run: `run ${seed}` };
  return (await versions.intake.take(trained, { ...of, use: true })).id;
}

/** What answers now: its file's bytes, and the log-probabilities that the model has with it, with those of the likeliest tokens. */
async function now() {
  const { path, version } = await versions.resolve('personal', base.sha256);
  const input = { messages: [{ role: 'user' as const, content: 'What is Quarry?' }] };
  const asked = { input, continuation: ' The mesh is a peer, and a peer is a key.', topK: 20 };
  const { tokens, totalLogprob } = await engine.score(asked, path === null ? {} : { adapter: path });
  const logprobs = tokens.map(({ logprob, top }) => [logprob, ...top.map((each) => each.logprob)]);
  return { id: version?.id ?? null, bytes: path && (await readFile(path, 'base64')), totalLogprob, logprobs };
}

/** Undo gives the very bytes and log-probabilities of before, redo those of after, each in less than a second. */
async function goesBack(modelPath: string): Promise<void> {
  await opened(modelPath);
  const plain = await engine.score({
    ...{ input: { messages: [{ role: 'user', content: 'What is Quarry?' }] }, topK: 20 },
    continuation: ' The mesh is a peer, and a peer is a key.',
  });
  const first = await learnt(1, null);
  const one = await now();
  const second = await learnt(2, first);
  const two = await now();
  expect([one.id, two.id]).toEqual([first, second]);
  expect(one.bytes).not.toBe(two.bytes);
  expect(Math.abs(two.totalLogprob - one.totalLogprob)).toBeGreaterThan(0.1);
  expect(Math.abs(one.totalLogprob - plain.totalLogprob)).toBeGreaterThan(0.1);

  const changes = [
    () => versions.undo('personal'),
    () => versions.undo('personal'),
    () => versions.redo('personal'),
    () => versions.redo('personal'),
    () => versions.use(first),
  ];
  const none = expect.objectContaining({ id: null, bytes: null, totalLogprob: plain.totalLogprob });
  const states = [one, none, one, two, one];
  // Of three times one shows how quick it is: a busy machine stands still now and then.
  const took = changes.map((): number[] => []);
  for (let time = 1; time <= 3; time++) {
    if (time > 1) await versions.use(second);
    for (const [step, change] of changes.entries()) {
      const begun = performance.now();
      await change();
      const state = await now(); // the first answer counts, too
      took[step]?.push(performance.now() - begun);
      expect(state).toEqual(states[step]);
    }
  }
  for (const each of took) expect(Math.min(...each)).toBeLessThan(1_000);
}

it('undo and redo restore the very bytes and log-probabilities, each in less than a second', () =>
  goesBack(TINY_MODEL));

it.skipIf(!real)('those of SmolLM2-135M, too', { tags: ['long'] }, () => goesBack(real));
