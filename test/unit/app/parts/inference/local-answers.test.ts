import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalUse } from '../../../../../src-main/app/engine/local-use.ts';
import { MachineEngines } from '../../../../../src-main/app/engine/machine-engines.ts';
import type { OtherModels } from '../../../../../src-main/app/engine/other-models.ts';
import { LocalAnswers } from '../../../../../src-main/app/parts/inference/local-answers.ts';
import type { EmbedResult, ScoreResult } from '../../../../../src-main/inference/backend.ts';
import { EngineSlot } from '../../../../../src-main/inference/host/engine-slot.ts';
import type { Generator } from '../../../../../src-main/server/openai/generator.ts';
import { ScriptedBackend } from '../../../../support/scripted-backend.ts';

/** Can do all that an engine of this machine can. */
class Able extends ScriptedBackend {
  async score(): Promise<ScoreResult> {
    return { tokens: [], totalLogprob: 0 };
  }

  override async countTokens(): Promise<number> {
    return 1;
  }

  async embed(): Promise<EmbedResult> {
    return { vectors: [], promptTokens: 0 };
  }
}

const IDLE_MS = 1_000;
const input = { prompt: 'Hello' };

function setUp({
  backend = new Able() as ScriptedBackend,
  isOwn = async (_name: string) => false,
  isElsewhere = false,
  others = undefined as OtherModels | undefined,
} = {}) {
  const slot = new EngineSlot(async () => backend);
  const localUse = new LocalUse({ engine: slot, idleMs: IDLE_MS });
  const waiting = async () => (isElsewhere ? undefined : { name: 'qwen', sha256: 'a' });
  const answers = new LocalAnswers({
    engine: { slot, localUse, others, machine: new MachineEngines(slot, others), isOwn, waiting },
    keeper: { keep: () => expect.fail('the scripted model has no file') },
    learnt: { isName: () => false, choose: async () => ({ path: null, id: null, name: null }) },
  });
  return { slot, localUse, answers };
}

describe('the models of this machine', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it.each<[string, (door: Generator) => Promise<unknown> | undefined]>([
    ['answer', (door) => Array.fromAsync(door.generate({ input }))],
    ['score', (door) => door.score?.({ input, continuation: 'you' })],
    ['count', (door) => door.countTokens?.(input)],
    ['embed', (door) => door.embed?.(['Hello'])],
  ])(
    'stay in memory for a while after programs had them %s something, although they were loaded before',
    async (_, ask) => {
      const { slot, localUse, answers } = setUp();
      (await answers.begin())[Symbol.dispose]();
      await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
      const door = await answers.door('local');
      if (!door) expect.fail('it is loaded');
      expect(await ask(door)).toBeDefined();
      await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
      expect(slot.status().state).toBe('ready');
      await vi.advanceTimersByTimeAsync(1);
      expect(slot.empty).toBe(true);
      localUse.close();
    },
  );

  it('do for programs what they can, and nothing else', async () => {
    const { slot, localUse, answers } = setUp({ backend: new ScriptedBackend() });
    await slot.open();
    expect(Object.keys((await answers.door('local')) ?? {})).toEqual(['sharesPrompts', 'generate', 'countTokens']);
    localUse.close();
  });

  it('have room for what the one that is asked was loaded with', async () => {
    const status = { state: 'ready' as const, active: 0, waiting: 0 };
    const model = { name: 'other', contextSize: 512, parallel: 1, device: 'cpu', embedsOnly: false };
    const other = Object.assign(new ScriptedBackend(), { status: () => ({ ...status, model }) });
    const others = { names: async () => ['other', 'third'], loaded: [other], asked: 0 } as unknown as OtherModels;
    const { slot, localUse, answers } = setUp({ others, isOwn: async (name) => name === 'scripted' });
    expect(await answers.contextSize()).toBeUndefined();
    await slot.open();
    const asked = [undefined, 'scripted', 'other', 'third', 'nosuch'];
    const sizes = await Promise.all(asked.map((name) => answers.contextSize(name)));
    expect(sizes).toEqual([4_096, 4_096, 512, undefined, undefined]);
    localUse.close();
  });

  it('are known by the name that a server elsewhere tells once it is asked', async () => {
    const { slot, localUse, answers } = setUp({ isOwn: async (name) => slot.status().model?.name === name });
    const elsewhere = setUp({ isOwn: async (name) => elsewhere.slot.status().model?.name === name, isElsewhere: true });
    await expect(answers.begin('scripted')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    expect(slot.empty).toBe(true);
    (await elsewhere.answers.begin('scripted'))[Symbol.dispose]();
    await expect(elsewhere.answers.begin('other')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    expect(elsewhere.localUse.isUsed).toBe(false);
    for (const use of [localUse, elsewhere.localUse]) use.close();
  });
});
