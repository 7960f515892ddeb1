import { expect, it, onTestFinished } from 'vitest';
import type { EnginePart } from '../../../../../src-main/app/parts/engine.ts';
import { auditorOf, openAudits } from '../../../../../src-main/app/parts/mesh/audits.ts';
import { Changes } from '../../../../../src-main/base/changes.ts';
import type { ModelInfo } from '../../../../../src-main/inference/backend.ts';
import { InferenceAuditStore } from '../../../../../src-main/store/mesh/inference-audits.ts';
import { memoryDatabase } from '../../../../support/memory-database.ts';
import { testLog } from '../../../../support/mesh-node.ts';

const MODEL = { name: 'm', sha256: 'a'.repeat(64), device: 'cpu', contextSize: 1, parallel: 1 };

function engineWith(changes: Partial<ModelInfo>): EnginePart {
  const status = () => ({ state: 'ready', active: 0, waiting: 0, model: { ...MODEL, ...changes } });
  const current = { status, generate: () => undefined, score: () => undefined, tokenize: () => undefined };
  const localUse = { begin: async () => ({ [Symbol.dispose]: () => undefined }) };
  return { slot: { current, status }, localUse } as unknown as EnginePart;
}

async function opened(engine: EnginePart) {
  const store = new InferenceAuditStore(await memoryDatabase());
  const onClose = (close: () => unknown) => onTestFinished(async () => void (await close()));
  const audits = openAudits({ changes: new Changes(), log: testLog, onClose }, { store, engine, mesh: undefined });
  return { audits, store };
}

const YARN = { type: 'yarn', factor: 2 } as const;

it('only a model that computes what its file says audits others: with f16, and positions as they are', () => {
  expect(auditorOf(engineWith({ kvCache: 'f16' }))?.sha256).toBe(MODEL.sha256);
  expect(auditorOf(engineWith({ kvCache: 'q8_0' }))).toBeUndefined();
  expect(auditorOf(engineWith({ kvCache: 'f16', rope: YARN }))).toBeUndefined();
});

it.each([{ kvCache: 'q4_0' }, { rope: YARN }] as const)('another one calibrates nothing: %o', async (changes) => {
  const { audits } = await opened(engineWith(changes));
  const end = new AbortController();
  audits.calibration.begin();
  for await (const { own, calibration } of audits.watch(end.signal)) {
    expect(own).toEqual({ state: 'otherwise', name: 'm' });
    if (calibration?.state === 'loading') continue;
    expect(calibration).toMatchObject({ state: 'failed', done: 0 });
    expect(calibration?.error).toMatchObject({
      code: 'BAD_REQUEST',
      message:
        'The loaded model computes otherwise than its file says: it has a smaller cache, or its positions are scaled.',
    });
    end.abort();
  }
  expect(end.signal.aborted).toBe(true);
});

/** A node that has calibrated a model on its processor, and has one in memory on a device. */
async function calibrated(loaded: Partial<ModelInfo>) {
  const node = await opened(engineWith(loaded));
  const means = { top: 0.5, chosen: 0.5, mismatches: 0.1 };
  const of = { 32: means, 128: means, 512: means, 2048: means };
  const about = { model: MODEL.sha256, name: 'm', tokens: 1, answers: 1, device: 'cpu', at: 0 };
  await node.store.calibrate({ ...about, thresholds: JSON.stringify({ ...of, probes: of }) });
  return node.audits;
}

/** Of no answers at all, which is read at once. */
async function repeated(audits: Awaited<ReturnType<typeof calibrated>>) {
  const finding = { measure: 'top', found: 1, threshold: 0.5, tokens: 32 };
  audits.bring(0, JSON.stringify({ worker: 'c'.repeat(64), model: MODEL.sha256, finding, answers: [] }));
  return await Array.fromAsync(audits.repeat(new AbortController().signal));
}

it('tells that a model runs on another device than it was calibrated on, and judges nobody by that', async () => {
  const audits = await calibrated({ device: 'cuda' });
  expect(await audits.calibrations()).toMatchObject([{ device: 'cpu', otherDevice: 'cuda' }]);
  expect(await audits.probeThresholds(MODEL.sha256)).toBeUndefined();
  await expect(repeated(audits)).rejects.toThrow('calibrated on cpu and runs on cuda');
});

it('goes by a calibration on the same device', async () => {
  const audits = await calibrated({ device: 'cpu' });
  expect(await audits.calibrations()).toMatchObject([{ device: 'cpu', otherDevice: null }]);
  expect(await audits.probeThresholds(MODEL.sha256)).toBeDefined();
  expect(await repeated(audits)).toMatchObject([{ type: 'done', result: { answers: 0, finding: null } }]);
});

it('tells that answers by which a worker was found out are not kept any more', async () => {
  const { audits, store } = await opened(engineWith({}));
  const pair = { worker: 'c'.repeat(64), model: MODEL.sha256 };
  await store.add({ ...pair, tokens: 64, top: 64, chosen: 64, mismatches: 64, at: 0 });
  const finding = { measure: 'top', found: 1, threshold: 0.5, tokens: 64 };
  await store.found(pair.worker, pair.model, JSON.stringify(finding), []);
  await expect(Array.fromAsync(audits.report(pair))).rejects.toThrow('not kept any more');
});

it('says nothing of the device while another model is loaded', async () => {
  const audits = await calibrated({ device: 'cuda', sha256: 'e'.repeat(64) });
  expect(await audits.calibrations()).toMatchObject([{ otherDevice: null }]);
});
