import type { GenerateRequest } from '../../../../src-preload/contract/request.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { MeshClient } from '../../../mesh/asking/client.ts';
import { askBy, type Miner, NotReached, type Question } from '../../../validation/run/miner.ts';
import { answerText, asRequest } from './chat-answer.ts';

/** Workers of the mesh that say that they are ready. They are paid as for any question. */
export function meshMiners(client: Pick<MeshClient, 'generate' | 'workers'>): Miner[] {
  const ready = client.workers().filter(({ status }) => status?.ready);
  return ready.map(({ id, status }) => ({
    id,
    kind: 'mesh',
    model: status?.models[0]?.name ?? '',
    revision: '',
    uid: null,
    block: null,
    ask: async (question) => {
      const { signal, timeoutMs: deadlineMs, onFirstByte } = question;
      const request = requestOf(question);
      return askBy((onSent) =>
        answerText(client.generate(request, { worker: id, signal, deadlineMs, onSent }), onFirstByte),
      );
    },
  }));
}

/** Workers answer questions in words, whatever these are about. @throws NotReached for what they have no way for */
function requestOf(question: Question): GenerateRequest {
  switch (question.ask.kind) {
    case 'text':
    case 'longText':
      return asRequest(question);
    case 'tokens':
      throw new NotReached({ code: 'BAD_REQUEST', message: say('validation.mesh.noProbes') });
    case 'clips':
      throw new NotReached({ code: 'BAD_REQUEST', message: say('validation.mesh.noClips') });
  }
}
