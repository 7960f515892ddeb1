import type { FastifyInstance } from 'fastify';
import { ApiError } from '../failures/api-error.ts';

/** Endpoints of OpenAI's that need another kind of model than there is here, and which. */
const ABSENT: Record<string, string> = {
  '/v1/audio/translations': 'no model here translates speech',
  '/v1/audio/speech': 'no model here speaks',
  '/v1/images/generations': 'no model here makes pictures',
  '/v1/images/edits': 'no model here makes pictures',
  '/v1/images/variations': 'no model here makes pictures',
};

/** Says so before the body is read: that may be a large file, and is no JSON. */
export function addAbsentRoutes(app: FastifyInstance): void {
  for (const [path, why] of Object.entries(ABSENT)) {
    const refuse = async () => {
      throw new ApiError(404, { message: `${path} is not served: ${why}.`, code: 'unknown_url' });
    };
    app.post(path, { onRequest: refuse }, refuse);
  }
}
