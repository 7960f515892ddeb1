import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InferenceBackend } from '../../src-main/inference/backend.ts';
import type { TokenEvidence } from '../../src-main/inference/evidence.ts';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { addAudits } from '../../src-main/inference/verified/audit.ts';
import { calibrated, type HonestAnswer, honestAnswers } from '../../src-main/inference/verified/calibrate.ts';
import { type AuditThresholds, findingOf } from '../../src-main/inference/verified/thresholds.ts';
import type { ClaimedAnswer } from '../../src-main/mesh/asking/claimed-answer.ts';
import { AuditDesk, type Auditor, type Found } from '../../src-main/mesh/audits/audit-desk.ts';
import { readReport, repeatAudit } from '../../src-main/mesh/audits/report.ts';
import { InferenceAuditStore } from '../../src-main/store/mesh/inference-audits.ts';
import { tinyEngine } from '../support/engine.ts';
import { memoryDatabase } from '../support/memory-database.ts';
import { testLog } from '../support/mesh-node.ts';
import { writePrunedModel } from '../support/pruned-model.ts';
import { readEvidence } from '../support/read-evidence.ts';
import { TestMesh } from '../support/test-mesh.ts';

/* Real engines, real signatures, a real mesh: workers that declare the built-in model, and what a client that has it finds out. */

let folder: string;
let mesh: TestMesh;
let own: LocalBackend;
let pruned: LocalBackend;
let auditor: Auditor;
let thresholds: AuditThresholds;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-audits-'));
  mesh = await TestMesh.open();
  own = tinyEngine({ parallel: 2 });
  await own.open();
  const { sha256 = '' } = own.status().model ?? {};
  const path = join(folder, 'pruned.gguf');
  await writePrunedModel(own.modelPath, path, [0]);
  // It says that it has the file that it has not.
  pruned = tinyEngine({ modelPath: path, sha256, name: 'tiny' });
  await pruned.open();
  auditor = { sha256, device: 'cpu', backend: own };
  const answers: HonestAnswer[] = [];
  for await (const answer of honestAnswers(own, { answers: 12 })) answers.push(answer);
  thresholds = calibrated(answers);
});
afterAll(async () => {
  await mesh?.close();
  await pruned?.close();
  await own?.close();
  await rm(folder, { recursive: true, force: true });
});

/** One that answers as another backend does, but for its answers. */
const lying = (backend: LocalBackend, generate: InferenceBackend['generate']): InferenceBackend => ({
  generate,
  status: () => backend.status(),
  open: () => backend.open(),
  close: async () => undefined,
  embed: (...asked) => backend.embed(...asked),
});

/** Asks a worker again and again, and audits every answer. */
async function asked(backend: InferenceBackend, answers = 6, as: Auditor | null = auditor) {
  const store = new InferenceAuditStore(await memoryDatabase());
  const calibration = {
    name: 'tiny',
    thresholds: JSON.stringify(thresholds),
    tokens: 1,
    answers: 12,
    device: 'cpu',
    at: 0,
  };
  await store.calibrate({ model: auditor.sha256, ...calibration });
  const found: Found[] = [];
  const claimed: ClaimedAnswer[] = [];
  const onFound = (one: Found) => found.push(one);
  const desk = new AuditDesk({ store, auditor: () => as ?? undefined, onFound, random: () => 0, log: testLog });
  const worker = await mesh.worker({}, { backend });
  const onClaimed = (answer: ClaimedAnswer) => {
    claimed.push(answer);
    desk.take(answer);
  };
  const { client } = await mesh.client([worker], { onClaimed });
  for (let question = 0; question < answers; question++) {
    const request = { input: { prompt: `Question ${question}: what is a mesh?` }, maxTokens: 48, temperature: 0.9 };
    for await (const _ of client.generate(request, { worker: worker.id }));
    await expect
      .poll(async () => (await store.of(worker.id, auditor.sha256))?.answers ?? 0)
      .toBeGreaterThan(as ? question : -1);
  }
  await desk.close();
  await mesh.clear();
  return { worker: worker.id, found, claimed, all: await store.of(worker.id, auditor.sha256), store };
}

describe('a worker of the mesh', () => {
  it('that computes with what it declares is never found out', async () => {
    // Some answers end with their first words: so many come to more than 128 tokens.
    const { found, claimed, all } = await asked(own, 12);
    expect(claimed).toHaveLength(12);
    expect(all).toMatchObject({ answers: 12, finding: null });
    expect(all?.tokens).toBeGreaterThan(128);
    expect(found).toEqual([]);
  });

  it('tells its model the time at which its client has signed the question', async () => {
    const told: unknown[] = [];
    const backend = lying(own, (request, options) => {
      told.push(options?.askedAt);
      return own.generate(request, options);
    });
    const { claimed } = await asked(backend, 2);
    expect(told).toEqual(claimed.map(({ prompt }) => prompt.ts));
  });

  it.each([
    ['with a layer less', () => pruned],
    ['with another seed', () => lying(own, (request, options) => own.generate({ ...request, seed: 1 }, options))],
    [
      'at another temperature',
      () => lying(own, (request, options) => own.generate({ ...request, temperature: 3 }, options)),
    ],
    ['by another model, and reads log-probabilities of the declared one', () => lying(own, faked)],
  ])('that answers %s is found out, once, within 384 tokens', async (_, backend) => {
    // Another temperature is found by chance, mostly within 128 tokens; some answers end with their first words.
    const { worker, found, all } = await asked(backend(), 16);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ worker, model: auditor.sha256 });
    expect(found[0]?.finding.tokens).toBeLessThanOrEqual(384);
    expect(all?.finding).not.toBeNull();
  });

  it('that shows another text than it chose is found out', async () => {
    const other = lying(own, async function* (request, options) {
      for await (const event of own.generate(request, options))
        yield event.type === 'chunk' ? { ...event, text: event.text.toUpperCase() } : event;
    });
    expect((await asked(other)).found).toHaveLength(1);
  });

  it.each([
    ['gives no evidence', undefined],
    ['says that it has used another file than it declares', 'ab'.repeat(32)],
  ])('that %s is blamed, and the client hears its answer', async (_, sha256) => {
    const backend = lying(own, async function* (request, options) {
      const { verified: _, ...plain } = options ?? {};
      yield* own.generate(request, sha256 === undefined ? plain : options);
    });
    const worker = await mesh.worker({}, { backend });
    const { client, network } = await mesh.client([worker]);
    // What it declares is known; from here on it says something else of itself.
    const { model } = own.status();
    backend.status = () => ({ ...own.status(), model: model && { ...model, ...(sha256 !== undefined && { sha256 }) } });
    const blame = vi.spyOn(network.peers.get(worker.id) ?? expect.fail('it has gone'), 'blame');
    const events = await Array.fromAsync(client.generate({ input: { prompt: 'A' }, maxTokens: 8 }));
    expect(events.at(-1)?.type).toBe('done');
    expect(blame).toHaveBeenCalledWith('false claim', expect.any(String));
    await mesh.clear();
  });

  it.each([
    ['a coarser cache', { kvCache: 'q4_0' }],
    ['scaled positions', { rope: { type: 'yarn', factor: 2 } }],
  ] as const)('with %s declares no file and gives no evidence: it is neither looked at nor blamed', async (_, more) => {
    const otherwise = tinyEngine({ name: 'tiny', ...more });
    await otherwise.open();
    try {
      const worker = await mesh.worker({}, { backend: otherwise });
      const claimed = vi.fn();
      const { client, network } = await mesh.client([worker], { onClaimed: claimed });
      const blame = vi.spyOn(network.peers.get(worker.id) ?? expect.fail('it has gone'), 'blame');
      const events = await Array.fromAsync(client.generate({ input: { prompt: 'A' }, maxTokens: 8 }));
      expect(events.at(-1)?.type).toBe('done');
      const [{ status } = expect.fail('it is unknown')] = client.workers().filter(({ id }) => id === worker.id);
      expect(status?.models).toMatchObject([{ name: 'tiny' }]);
      expect(status?.models[0]?.sha256).toBeUndefined();
      expect(claimed).not.toHaveBeenCalled();
      expect(blame).not.toHaveBeenCalled();
    } finally {
      await mesh.clear();
      await otherwise.close();
    }
  });

  it('that computes by a coarser cache and declares the file all the same is held to it', async () => {
    const coarse = tinyEngine({ name: 'tiny', kvCache: 'q4_0' });
    await coarse.open();
    try {
      const backend = lying(coarse, (...asked) => coarse.generate(...asked));
      const { model } = coarse.status();
      backend.status = () => ({ ...coarse.status(), model: model && { ...model, kvCache: 'f16' } });
      const { claimed, all } = await asked(backend, 4);
      expect(claimed).toHaveLength(4);
      expect(all?.answers).toBe(4);
    } finally {
      await coarse.close();
    }
  });

  it('that sends more evidence than its answer can have tokens is dropped', async () => {
    const backend = lying(own, async function* (request, options) {
      for await (const event of own.generate({ ...request, maxTokens: 4 }, options)) {
        if (event.type === 'chunk') yield event;
        else yield { ...event, evidence: Array.from({ length: 400 }, () => event.evidence ?? []).flat() };
      }
    });
    const worker = await mesh.worker({}, { backend });
    const claimed = vi.fn();
    const { client } = await mesh.client([worker], { onClaimed: claimed, attempts: 1 });
    const asking = Array.fromAsync(
      client.generate({ input: { prompt: 'A' }, maxTokens: 1_000 }, { worker: worker.id }),
    );
    await expect(asking).rejects.toMatchObject({ code: 'PROTOCOL' });
    expect(claimed).not.toHaveBeenCalled();
    await mesh.clear();
  });

  it('that tells of fewer tokens than it bills is dropped', async () => {
    const backend = lying(own, async function* (request, options) {
      for await (const event of own.generate(request, options))
        yield event.type === 'chunk' ? event : { ...event, evidence: event.evidence?.slice(0, 1) ?? [] };
    });
    const worker = await mesh.worker({}, { backend });
    const claimed = vi.fn();
    const { client } = await mesh.client([worker], { onClaimed: claimed });
    const asking = Array.fromAsync(client.generate({ input: { prompt: 'A' }, maxTokens: 8 }, { worker: worker.id }));
    await expect(asking).rejects.toMatchObject({ code: 'PROTOCOL' });
    expect(claimed).not.toHaveBeenCalled();
    await mesh.clear();
  });

  it('that tells of a token which the model does not have is found out', async () => {
    const other = lying(own, async function* (request, options) {
      for await (const event of own.generate(request, options))
        yield event.type === 'chunk' ? event : { ...event, evidence: event.evidence?.map(unknown) ?? [] };
    });
    expect((await asked(other)).found).toHaveLength(1);
  });

  it('that was found out is not asked, though it is there', async () => {
    const [one, other] = [await mesh.worker(), await mesh.worker()];
    const isShunned = (worker: string) => worker === one.id;
    const { client } = await mesh.client([one, other], { isShunned, findWorkerMs: 50 });
    for (let question = 0; question < 8; question++) {
      const events = await Array.fromAsync(client.generate({ input: { prompt: 'A' } }));
      expect(events.flatMap((event) => (event.type === 'worker' ? event.worker : []))).toEqual([other.id]);
    }
    const alone = Array.fromAsync(client.generate({ input: { prompt: 'A' } }, { worker: one.id }));
    await expect(alone).rejects.toMatchObject({ code: 'NO_WORKER' });
    await mesh.clear();
  });

  it('is not looked at where the file is not here', async () => {
    const { claimed, all } = await asked(own, 1, null);
    expect([claimed.length, all]).toEqual([1, undefined]);
  });
});

describe('what a worker was found out by', () => {
  it('can be found again by whoever has the file, and by nobody else', async () => {
    const { worker, found, store } = await asked(pruned);
    const { finding, answers } = found[0] ?? expect.fail('nothing was found');
    const kept = (await store.answers(worker, auditor.sha256)).map(({ answer }) => JSON.parse(answer));
    expect(kept).toEqual(JSON.parse(JSON.stringify(answers)));
    const read = await readReport({ worker, model: auditor.sha256, answers: kept });
    const again = async (backend: LocalBackend) =>
      addAudits(await Array.fromAsync(repeatAudit(backend, read, new AbortController().signal)));
    expect(findingOf(await again(own), thresholds)).toMatchObject({ measure: finding.measure, tokens: finding.tokens });
    expect(findingOf(await again(pruned), thresholds)).toBeUndefined();
  });

  it('is believed of nobody who has not signed it', async () => {
    const { worker, claimed } = await asked(own, 1);
    const [answer] = claimed;
    if (!answer) throw new Error('nothing was claimed');
    const report = (changed: object, more = {}) => ({
      ...{ worker, model: auditor.sha256, answers: [{ ...answer, ...changed }], ...more },
    });
    expect(await readReport(report({}))).toHaveLength(1);
    const { prompt, claim, tokens, text } = answer;
    for (const forged of [
      report({ text: `${text}!` }),
      report({ tokens: tokens.slice(1) }),
      report({ prompt: { ...prompt, params: { ...prompt.params, seed: 1 } } }),
      report({ claim: { ...claim, body: { ...claim.body, model: 'ab'.repeat(32) } } }),
      report({ claim: { ...claim, sig: 'ab'.repeat(64) } }),
      report({}, { worker: 'ab'.repeat(32) }),
      report({}, { model: 'ab'.repeat(32) }),
      report({}, { answers: [{}] }),
    ])
      await expect(readReport(forged)).rejects.toThrow('not signed by its worker');
  });
});

const unknown = (told: TokenEvidence, at: number) => (at === 0 ? { ...told, id: 0xffff_ffff } : told);

it('leaves the node a turn between the answers of a report', async () => {
  const { worker, claimed } = await asked(own, 1);
  const answers = Array.from({ length: 400 }, () => claimed[0]);
  const ended = readReport({ worker, model: auditor.sha256, answers });
  const turn = new Promise<string>((resolve) => setImmediate(() => resolve('a turn of another')));
  expect(await Promise.race([ended, turn])).toBe('a turn of another');
  expect(await ended).toHaveLength(400);
});

/** Text of the small model; ids and log-probabilities as the true one would have them for it. */
const faked: InferenceBackend['generate'] = async function* (request, options) {
  for await (const event of pruned.generate(request, { ...options, tokenIds: true })) {
    if (event.type === 'chunk') yield event;
    else {
      yield { ...event, evidence: await readEvidence(own, request.input, event.evidence ?? []) };
    }
  }
};
