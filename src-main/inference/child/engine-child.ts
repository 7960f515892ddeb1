import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type ChildMessage, type HostMessage, hostMessageSchema } from '../engine-protocol.ts';
import { Engine } from './engine.ts';
import { loadModel, openLlama, readGpus } from './load-model.ts';

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

async function handle(message: HostMessage): Promise<void> {
  if (message.type === 'gpus') return send({ type: 'gpus', gpus: await readGpus(await openLlama('auto')) });
  if (message.type !== 'load') return engine?.handle(message);
  try {
    engine = new Engine(await loadModel(message.options, tellProgress()), {
      send: (events) => send({ type: 'events', events }),
      warn: (text) => process.stderr.write(`${text}\n`),
    });
    send({ type: 'loaded', info: engine.info });
  } catch (error) {
    send({ type: 'load-failed', error: QuarryError.from(error).toJSON() });
  }
}

process.on('message', (message) => void handle(hostMessageSchema.parse(message)));
// Where it has no group of its own (Windows, Electron) ^C comes here too; the parent closes its engine when it is done.
process.on('SIGINT', () => undefined);
