import { say } from '../../../../src-preload/contract/saying.ts';
import type { MeshClient } from '../../../mesh/asking/client.ts';
import type { KnownWorker } from '../../../mesh/asking/known-worker.ts';
import { readHandedIn } from '../../../subnets/omega/clips/synapse/mesh-clips.ts';
import type { WantedClips } from '../../../validation/environment.ts';
import { askBy, type Miner, NotReached, type Question } from '../../../validation/run/miner.ts';
import { answerText, asRequest } from './chat-answer.ts';

export type MeshAsking = Pick<MeshClient, 'generate' | 'workers' | 'clips'>;

/** Workers of the mesh that say that they are ready, or that they hand in clips, for which no model need be in memory. For words they are paid as for any question. */
export function meshMiners(client: MeshAsking): Miner[] {
  const there = client.workers().filter(({ status, handsInClips }) => status?.ready || handsInClips);
  return there.map((worker) => ({
    id: worker.id,
    kind: 'mesh',
    model: worker.status?.models[0]?.name ?? '',
    revision: '',
    uid: null,
    block: null,
    ask: async (question) => ask(client, worker, question),
  }));
}

/** Workers answer questions in words, whatever these are about, and some hand in clips. @throws NotReached for what they have no way for */
function ask(client: MeshAsking, worker: KnownWorker, question: Question): Promise<string> {
  switch (question.ask.kind) {
    case 'text':
    case 'longText':
      return askInWords(client, worker, question);
    case 'tokens':
      throw new NotReached({ code: 'BAD_REQUEST', message: say('validation.mesh.noProbes') });
    case 'clips':
      return askForClips(client, worker, question, question.ask.wanted);
  }
}

function askInWords(client: MeshAsking, { id, status }: KnownWorker, question: Question): Promise<string> {
  if (!status?.ready)
    throw new NotReached({ code: 'NOT_RUNNING', message: say('validation.mesh.notReady'), retryable: true });
  const { signal, timeoutMs: deadlineMs, onFirstByte } = question;
  return askBy((onSent) =>
    answerText(client.generate(asRequest(question), { worker: id, signal, deadlineMs, onSent }), onFirstByte),
  );
}

function askForClips(
  client: MeshAsking,
  worker: KnownWorker,
  { signal, timeoutMs: deadlineMs, onFirstByte }: Question,
  wanted: WantedClips,
): Promise<string> {
  return askBy(async (onSent) => {
    const text = await client.clips(worker, { wanted, signal, deadlineMs, onSent, onFirstByte });
    return readHandedIn(wanted.of, text);
  });
}
