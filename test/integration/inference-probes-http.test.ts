import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openProbing } from '../../src-main/app/parts/probing.ts';
import { EndpointMiners } from '../../src-main/app/validator/miners/endpoint-miners.ts';
import { EngineSlot } from '../../src-main/inference/host/engine-slot.ts';
import { probeText } from '../../src-main/subnets/quasar/verification/answer.ts';
import { inferenceEnvironment } from '../../src-main/subnets/quasar/verification/inference-environment.ts';
import { pose } from '../../src-main/validation/challenge.ts';
import type { Environment } from '../../src-main/validation/environment.ts';
import type { Miner, Question } from '../../src-main/validation/run/miner.ts';
import { examine, minerOf } from '../support/asked-miner.ts';
import { writeDequantised } from '../support/dequantised-model.ts';
import { TINY_MODEL, tinyEngine } from '../support/engine.ts';
import { writePrunedModel } from '../support/pruned-model.ts';
import { temporaryFolder } from '../support/quarry-process.ts';
import { LOCAL_TOKEN, openServer } from '../support/server-harness.ts';

/* The built-in model, its weights in 16 bits, asked over real HTTP; and liars that have it, too. */

const folder = await temporaryFolder();
const f16 = join(folder.path, 'tiny-F16.gguf');
const engine = tinyEngine({ modelPath: f16 });
const prunedPath = join(folder.path, 'pruned-F16.gguf');
const pruned = tinyEngine({ modelPath: prunedPath });
let environment: Environment;

beforeAll(async () => {
  await writeDequantised(TINY_MODEL, f16, 'F16');
  await writePrunedModel(f16, prunedPath, [1]);
  await Promise.all([engine.open(), pruned.open()]);
  const { sha256 = '', vocabulary = 0, unquantised } = engine.status().model ?? {};
  expect(unquantised).toBe(true);
  const own = { sha256, vocabulary, thresholds: undefined, probe: engine.probe.bind(engine), [Symbol.dispose]() {} };
  environment = inferenceEnvironment({ known: own, use: async () => own }) as Environment;
});
afterAll(async () => {
  await Promise.all([engine.close(), pruned.close()]);
  await folder.remove();
});

/** Somebody who serves this model, over HTTP. */
async function served(model: typeof engine): Promise<Miner> {
  const slot = new EngineSlot(async () => model);
  await slot.open();
  const { url } = await openServer({ probing: openProbing({ engine: { slot } }) });
  const miners = new EndpointMiners({
    list: async () => [{ name: 'm', url: `${url}/v1`, model: '', apiKey: LOCAL_TOKEN }],
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => miners.close());
  return (await miners.miners())[0]!;
}

async function asked(miner: Miner, seed: string) {
  const challenge = await pose(environment, '64', seed);
  const signal = new AbortController().signal;
  return examine(challenge, miner, { maxTokens: 1, timeoutMs: 60_000, retries: 0 }, { signal, random: Math.random });
}

/** Says the honest miner's answer otherwise. */
const liar = (honest: Miner, lie: (said: Record<string, unknown>, question: Question) => object) =>
  minerOf('liar', async (question) =>
    probeText(lie(JSON.parse(await honest.ask(question)) as Record<string, unknown>, question)),
  );

it('an honest miner passes each time, at the speed by the validator’s clock', async () => {
  const honest = await served(engine);
  for (let at = 0; at < 8; at++) {
    const told = await asked(honest, `honest ${at}`);
    expect(told).toMatchObject({ error: null, accuracy: 1, reason: { key: 'quasar.probe.verified' } });
    expect(told.score * 10_000 * told.latencyMs).toBeCloseTo(64_000, 3);
  }
});

it('who leaves a layer out is found out', async () => {
  expect(await asked(await served(pruned), 'pruned')).toMatchObject({ score: 0, accuracy: 0 });
});

it('who claims to have needed no time gains nothing', async () => {
  const told = await asked(
    liar(await served(engine), (said) => ({ ...said, elapsed_sec: 0 })),
    'no time',
  );
  expect(told.accuracy).toBe(1);
  expect(told.score * 10_000 * told.latencyMs).toBeCloseTo(64_000, 3);
});

it('who says again what was right before is found out', async () => {
  let before: Record<string, unknown> | undefined;
  const replaying = liar(await served(engine), (said) => {
    before ??= said;
    return before;
  });
  expect(await asked(replaying, 'first')).toMatchObject({ accuracy: 1 });
  expect(await asked(replaying, 'second')).toMatchObject({ score: 0, accuracy: 0 });
});

it('who computes some tokens and makes up the rest is found out', async () => {
  const told = await asked(
    liar(await served(engine), (said) => {
      const tokens = said.tokens as number[];
      return { ...said, tokens: tokens.map((token, at) => (at < 60 ? token : (token + 1) % 300)) };
    }),
    'made up',
  );
  expect(told).toMatchObject({ score: 0, accuracy: 0 });
});

it('nothing is there unless it is wanted', async () => {
  const { url } = await openServer();
  const headers = { authorization: `Bearer ${LOCAL_TOKEN}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/inference`, { method: 'POST', headers, body: '{"prompt":[11]}' });
  expect(response.status).toBe(404);
});

it('it wants the token that the API wants', async () => {
  const { url } = await openServer({ token: 'a token of sixteen', probing: openProbing({ engine: undefined }) });
  for (const path of ['/inference', '/model_info', '/health']) {
    const method = path === '/inference' ? 'POST' : 'GET';
    expect((await fetch(`${url}${path}`, { method })).status).toBe(401);
  }
});
