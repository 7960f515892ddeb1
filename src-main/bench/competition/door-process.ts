/** A server's process of `quarry bench competition`: a competition with a database of its own, or a bare Fastify that answers the same. */
import { join } from 'node:path';
import fastify from 'fastify';
import pino from 'pino';
import type { Signer } from '../../bittensor/signer.ts';
import { AxonNonceStore } from '../../store/bittensor/axon-nonces.ts';
import { openDatabase } from '../../store/database.ts';
import { ResultsDb } from '../../store/results/results-db.ts';
import { Competition } from '../../subnets/quasar/competition/server/competition.ts';
import { REFERENCE } from '../../subnets/quasar/gpu/artefact.ts';
import { baselineKernel } from '../../subnets/quasar/kernels/baseline.ts';
import type { AskedFailed } from '../asked-process.ts';
import { newKeys } from '../bittensor-keys.ts';

/** What a bare server answers. */
export interface BareAnswer {
  method: 'GET' | 'POST';
  path: string;
  status: number;
  text: string;
}
export type DoorOrder = { type: 'competition'; folder: string } | { type: 'bare'; answers: BareAnswer[] };
export interface DoorAnswer {
  type: 'open';
  port: number;
  /** ss58 of who serves it; empty for a bare one. */
  server: string;
}

/** Room for every commitment of a bench. How often an address and a hotkey may ask is as ever. */
const TERMS = {
  ...{ hours: 48, blocksUntilReveal: 100, unclaimed: 'burnt' as const, perHotkey: 10, perRound: 1_000_000 },
  ...{ bytesPerHotkey: 1 << 20, bytes: 16 << 20 },
};

async function openCompetition(folder: string): Promise<DoorAnswer> {
  const [server] = (await newKeys(1)) as [Signer];
  const results = new ResultsDb({ dataDir: folder, url: undefined });
  await results.open();
  const { url } = await Competition.open({
    ...{ server, host: '127.0.0.1', port: 0, tls: undefined, behindProxy: true, folder: join(folder, 'competition') },
    store: results.competition(server.address),
    marks: new AxonNonceStore(await openDatabase(join(folder, 'quarry.db'))),
    terms: TERMS,
    judge: () => Promise.reject(new Error('Nothing is judged here.')),
    baselines: { kernel: await baselineKernel(), gpu: REFERENCE },
    log: pino({ level: 'silent' }),
  });
  return { type: 'open', port: Number(new URL(url).port), server: server.address };
}

async function openBare(answers: BareAnswer[]): Promise<DoorAnswer> {
  const app = fastify();
  for (const { method, path, status, text } of answers) {
    const answer = JSON.parse(text);
    app.route({ method, url: path, handler: async (_, reply) => reply.code(status).send(answer) });
  }
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { type: 'open', port: Number(new URL(url).port), server: '' };
}

process.on('message', (order: DoorOrder) => {
  const opened = order.type === 'competition' ? openCompetition(order.folder) : openBare(order.answers);
  opened.then(
    (answer) => process.send?.(answer),
    (error: Error) => process.send?.({ type: 'failed', message: String(error.stack) } satisfies AskedFailed),
  );
});
process.once('disconnect', () => process.exit());
