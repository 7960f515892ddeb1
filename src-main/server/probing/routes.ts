import type { FastifyInstance } from 'fastify';
import type { RunningRequests } from '../openai/running-requests.ts';
import type { ProbeDoor } from './probe-door.ts';

/** Adds what QUASAR’s validators ask an inference server (A8). Its `/health` stands with that of other programs. */
export function addProbeRoutes(app: FastifyInstance, { running, door }: { running: RunningRequests; door: ProbeDoor }) {
  app.post('/inference', (request, reply) =>
    running.run(request, reply, async (call) => {
      call.model = door.model()?.name ?? call.model;
      return door.inference(request.body, call.signal);
    }),
  );
  app.get('/model_info', (request, reply) => running.run(request, reply, () => door.info()));
}

/** What of `/health` is for QUASAR’s validators. */
export function modelHealth(door: Pick<ProbeDoor, 'model'>): object {
  const model = door.model();
  return { status: model ? 'healthy' : 'loading', model_name: model?.name ?? null, device: model?.device ?? null };
}
