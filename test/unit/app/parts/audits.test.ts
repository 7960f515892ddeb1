import { expect, it } from 'vitest';
import { auditorOf, openAudits } from '../../../../src-main/app/parts/audits.ts';
import type { EnginePart } from '../../../../src-main/app/parts/engine.ts';
import { Changes } from '../../../../src-main/base/changes.ts';
import type { ModelInfo } from '../../../../src-main/inference/backend.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { testLog } from '../../../support/mesh-node.ts';

const MODEL = { name: 'm', sha256: 'a'.repeat(64), device: 'cpu', contextSize: 1, parallel: 1 };

function engineWith(changes: Partial<ModelInfo>): EnginePart {
  const status = () => ({ state: 'ready', active: 0, waiting: 0, model: { ...MODEL, ...changes } });
  const current = { status, generate: () => undefined, score: () => undefined, tokenize: () => undefined };
  const localUse = { begin: async () => ({ [Symbol.dispose]: () => undefined }) };
  return { slot: { current, status }, localUse } as unknown as EnginePart;
}

const YARN = { type: 'yarn', factor: 2 } as const;

it('only a model that computes what its file says audits others: with f16, and positions as they are', () => {
  expect(auditorOf(engineWith({ kvCache: 'f16' }))?.sha256).toBe(MODEL.sha256);
  expect(auditorOf(engineWith({ kvCache: 'q8_0' }))).toBeUndefined();
  expect(auditorOf(engineWith({ kvCache: 'f16', rope: YARN }))).toBeUndefined();
});

it.each([{ kvCache: 'q4_0' }, { rope: YARN }] as const)('another one calibrates nothing: %o', async (changes) => {
  const closes: (() => unknown)[] = [];
  const core = {
    db: await memoryDatabase(),
    changes: new Changes(),
    log: testLog,
    onClose: (close: () => unknown) => void closes.push(close),
  };
  const audits = openAudits(core, { engine: engineWith(changes), mesh: undefined });
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
  for (const close of closes) await close();
});
