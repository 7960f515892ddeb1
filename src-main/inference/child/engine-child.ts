import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import {
  type ChildMessage,
  type DraftOptions,
  type HostMessage,
  hostMessageSchema,
  type LoadedInfo,
} from '../engine-protocol.ts';
import { Engine } from './engine.ts';
import { type LoadedDraft, loadDraft } from './load-draft.ts';
import { type LoadedModel, loadModel, openLlama, readGpus } from './load-model.ts';

/** Entry of the engine child: one model, for as long as the process that started it lives. */
let engine: Engine | undefined;

function send(message: ChildMessage): void {
  process.send?.(message);
}

/** llama.cpp tells each tensor: the host hears of whole per cents. */
function tellProgress(): (share: number) => void {
  let told = 0;
  return (share) => {
    const progress = Math.min(1, Math.floor(share * 100) / 100);
    if (!(progress > told)) return;
    told = progress;
    send({ type: 'loading', progress });
  };
}

/** Without it everything works as well: what keeps it from guessing is told and no more. */
async function openDraft(
  loaded: LoadedModel,
  options: DraftOptions,
): Promise<{ draft?: LoadedDraft; info: NonNullable<LoadedInfo['draft']> }> {
  try {
    return { draft: await loadDraft(loaded, options), info: { name: options.name } };
  } catch (error) {
    return { info: { name: options.name, error: draftFailed(error) } };
  }
}

function draftFailed(error: unknown) {
  if (error instanceof QuarryError) return error.toJSON();
  const why = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  return new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('engine.draftFailed', { why }) }).toJSON();
}

async function handle(message: HostMessage): Promise<void> {
  if (message.type === 'ping') return send({ type: 'pong' });
  if (message.type === 'gpus') return send({ type: 'gpus', gpus: await readGpus(await openLlama('auto')) });
  if (message.type !== 'load') return engine?.handle(message);
  try {
    const loaded = await loadModel(message.options, tellProgress());
    const drafting = message.options.draft && (await openDraft(loaded, message.options.draft));
    engine = new Engine(loaded, {
      send: (events) => send({ type: 'events', events }),
      warn: (text) => process.stderr.write(`${text}\n`),
      draft: drafting?.draft,
      onDrafted: (rates, gain) => send({ type: 'drafted', rates, gain }),
      onDraftFailed: (error) => send({ type: 'draft-failed', error: draftFailed(error) }),
    });
    send({ type: 'loaded', info: { ...engine.info, ...(drafting && { draft: drafting.info }) } });
  } catch (error) {
    send({ type: 'load-failed', error: QuarryError.from(error).toJSON() });
  }
}

process.on('message', (message) => void handle(hostMessageSchema.parse(message)));
// Where it has no group of its own (Windows, Electron) ^C comes here too; the parent closes its engine when it is done.
process.on('SIGINT', () => undefined);
