import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocalBackend } from '../../src-main/inference/host/local-backend.ts';
import { addAudits } from '../../src-main/inference/verified/audit.ts';
import { readAgain } from '../../src-main/inference/verified/read-again.ts';
import { meansOf } from '../../src-main/inference/verified/thresholds.ts';
import { events, tinyEngine } from '../support/engine.ts';
import { writeSentencePieceModel } from '../support/small-models.ts';

/* A model whose template tells it the date, on two computers where it is never the same day: 25 hours lie between their clocks. */

const TEMPLATE =
  "{% set day = strftime_now('%d %b %Y') if strftime_now is defined else '' %}{{ bos_token }}it is {{ day }} {% for message in messages %}[INST] {{ message['content'] }} [/INST]{% endfor %}";
const input = { messages: [{ role: 'user' as const, content: 'hello world' }] };
const LONG_AGO = Date.UTC(2001, 1, 3, 23, 59);

let folder: string;
let worker: LocalBackend;
let auditor: LocalBackend;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-dates-'));
  const modelPath = join(folder, 'dated.gguf');
  await writeSentencePieceModel(modelPath, { template: TEMPLATE });
  worker = await openedIn('Pacific/Kiritimati', modelPath);
  auditor = await openedIn('Pacific/Pago_Pago', modelPath);
});
afterAll(async () => {
  await worker?.close();
  await auditor?.close();
  await rm(folder, { recursive: true, force: true });
});

async function openedIn(zone: string, modelPath: string): Promise<LocalBackend> {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    const engine = tinyEngine({ modelPath, parallel: 1 });
    await engine.open();
    return engine;
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
}

it('is told the day where it computes, if nobody has said when it was asked', async () => {
  expect(await worker.tokenize(input)).not.toEqual(await auditor.tokenize(input));
});

it('is told when it was asked, wherever it computes', async () => {
  const asked = { askedAt: LONG_AGO };
  const prompt = await worker.tokenize(input, asked);
  expect(await auditor.tokenize(input, asked)).toEqual(prompt);
  expect(await worker.tokenize({ prompt: 'it is 03 Feb 2001 [INST] hello world [/INST]' })).toEqual(prompt);
});

it.each([
  ['on the same day', Date.now()],
  ['years later', LONG_AGO],
  ['at a moment that no calendar has', Number.MAX_SAFE_INTEGER],
])('gives an answer that another reads again as it was written: %s', async (_, askedAt) => {
  const sampling = { temperature: 1, topP: 1, topK: 0, repeatPenalty: 1.1, seed: 7 };
  const request = { input, maxTokens: 48, ...sampling };
  const [last] = (await events(worker, request, { verified: true, askedAt })).slice(-1);
  const evidence = (last?.type === 'done' && last.evidence) || expect.fail('there is no evidence');
  const told = { input, sampling, evidence, askedAt };
  const means = meansOf(addAudits((await readAgain(auditor, told)).audits));
  expect(means.top).toBeLessThan(0.01);
  expect(means.mismatches).toBeLessThan(0.05);
  // Else this test could not fail.
  const other = meansOf(addAudits((await readAgain(auditor, { ...told, askedAt: Date.UTC(1999, 8) })).audits));
  expect(other.top).toBeGreaterThan(0.02);
});
