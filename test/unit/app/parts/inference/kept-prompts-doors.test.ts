import { expect, it } from 'vitest';
import { LoadTimes } from '../../../../../src-main/app/engine/load-times.ts';
import { LocalUse } from '../../../../../src-main/app/engine/local-use.ts';
import { MachineEngines } from '../../../../../src-main/app/engine/machine-engines.ts';
import { openInference } from '../../../../../src-main/app/parts/inference/inference.ts';
import type { GenerateEvent, GenerateOptions } from '../../../../../src-main/inference/backend.ts';
import { EngineSlot } from '../../../../../src-main/inference/host/engine-slot.ts';
import type { GenerateRequest } from '../../../../../src-preload/contract/request.ts';
import { ScriptedBackend } from '../../../../support/scripted-backend.ts';

/** Remembers whether it may keep the instructions of what it is asked. */
class Remembering extends ScriptedBackend {
  readonly kept: GenerateOptions['keepPrompt'][] = [];

  override generate(request: GenerateRequest, options?: GenerateOptions): AsyncGenerator<GenerateEvent> {
    this.kept.push(options?.keepPrompt);
    return super.generate(request, options);
  }
}

const messages = [{ role: 'user' as const, content: 'Hello' }];
const KEEP_AS = { id: 'turn-1', door: 'playground' as const };

it('instructions may be kept where the answer may: never those of private conversations, or of programs that store nothing', async () => {
  const backend = new Remembering();
  const slot = new EngineSlot(async () => backend);
  const localUse = new LocalUse({ engine: slot });
  const part = openInference({
    ...{ config: { backend: 'local' }, onDrain: () => {} },
    engine: {
      ...{ slot, localUse, others: undefined, machine: new MachineEngines(slot, undefined) },
      ...{ loadTimes: new LoadTimes({ list: async () => [], put: async () => {} }) },
      ...{ isOwn: async () => true, waiting: async () => undefined },
    },
    keeper: { keep: () => expect.fail('the scripted model has no file') },
    learnt: {
      isName: () => false,
      names: () => [],
      choose: async () => ({ path: null, id: null, name: null }) as never,
    },
    ...{ mesh: undefined, mining: undefined },
  });
  const signal = AbortSignal.timeout(60_000);
  await Array.fromAsync(part.ask({ target: 'local', messages }, signal, KEEP_AS));
  await Array.fromAsync(part.ask({ target: 'local', messages }, signal));
  const door = await part.route('local');
  await Array.fromAsync(door?.generate({ input: { messages } }, { keepAs: 'chatcmpl-1' }) ?? []);
  await Array.fromAsync(door?.generate({ input: { messages } }) ?? []);
  expect(backend.kept).toEqual([true, false, true, false]);
  await slot.close();
  localUse.close();
});
