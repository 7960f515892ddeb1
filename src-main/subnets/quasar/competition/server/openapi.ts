import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { z } from 'zod';
import { sayingSchema } from '../../../../../src-preload/contract/saying-schema.ts';
import { SIGNED_HEADERS } from '../../../../bittensor/signed-requests/signed-text.ts';
import type { Access, Route, RouteName } from '../routes.ts';
import { errorSchema } from '../wire.ts';

const SIGNED = Object.values(SIGNED_HEADERS);

/** How the API is described: OpenAPI 3.1, whose schemas are JSON Schema, made from the zod schemas that hold requests to it. */
export const API: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'A competition of Quarry',
      version: '1',
      description:
        'Commit, reveal, rounds and records. What has to be signed says docs/competitions.md: eight lines, of which the headers carry all but the tag, method and path.',
    },
    components: {
      securitySchemes: Object.fromEntries(
        SIGNED.map((name) => [name, { type: 'apiKey' as const, in: 'header' as const, name }]),
      ),
    },
  },
};

const WHO: Record<Access, string> = {
  open: 'Everybody may ask.',
  key: 'Whoever signs may ask.',
  miner: 'Signed by a miner.',
  validator: 'Signed by a validator.',
  operator: 'Signed by whoever runs the competition.',
};

/** What one route takes and answers, as JSON Schema. */
export function routeSchema(name: RouteName, { summary, access, body, query, answer, status = 200 }: Route) {
  const bytes = { type: 'string', format: 'binary' };
  return {
    ...{ operationId: name, summary, description: WHO[access] },
    ...(access !== 'open' && { security: [Object.fromEntries(SIGNED.map((header) => [header, []]))] }),
    ...(body && { body: jsonSchema(body, 'input') }),
    ...(query && { querystring: jsonSchema(query, 'input') }),
    response: {
      [status]: answer === 'bytes' ? bytes : { description: summary, ...jsonSchema(answer, 'output') },
      default: { description: 'Why not.', ...jsonSchema(errorSchema, 'output') },
    },
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    ...{ io, target: 'draft-2020-12', unrepresentable: 'any', reused: 'inline' },
    override: ({ zodSchema, jsonSchema: found }) => {
      // It holds others of its kind: a description of the outermost is enough.
      if ((zodSchema as unknown) !== sayingSchema) return;
      for (const key of Object.keys(found)) delete found[key as keyof typeof found];
      Object.assign(found, { type: 'object', properties: { key: { type: 'string' }, params: { type: 'object' } } });
    },
  });
  return described;
}
