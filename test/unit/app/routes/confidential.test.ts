import { isProcedure } from '@orpc/server';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../../src-main/app/create-app.ts';
import { confidential } from '../../../../src-main/app/routes/confidential.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import { contract } from '../../../../src-preload/contract/contract.ts';
import { temporaryFolder } from '../../../support/quarry-process.ts';

/** Names of texts that nobody may overhear, in what a procedure takes; and of procedures that are about nothing else. */
const SECRET = /pass(word|phrase)|mnemonic|phrase|^seed$|secret|private/i;

/** Their seeds are ones of challenges and questions: nobody gains by them. */
const NOT_SECRET = ['validator.practise', 'evaluation.start'];

interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  [more: string]: unknown;
}

/** The names of all texts in a schema, however deep. */
function textsIn(schema: unknown, name = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => textsIn(one, name));
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, properties = {}, ...more } = schema as JsonSchema;
  const inside = Object.entries(properties).flatMap(([key, one]) => textsIn(one, key));
  return [...(type === 'string' ? [name] : []), ...inside, ...textsIn(Object.values(more), name)];
}

const takesSecret = (verb: string, input: unknown) =>
  SECRET.test(verb) ||
  (input instanceof z.ZodType &&
    textsIn(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })).some((name) => SECRET.test(name)));

it('each procedure that takes a password, or the words of a key, is refused where others could listen', async () => {
  const folder = await temporaryFolder();
  await using app = await createApp(loadConfig({ env: {}, flags: { dataDir: folder.path } }), {});
  const secret: string[] = [];
  const open: string[] = [];
  for (const [domain, verbs] of Object.entries(contract)) {
    for (const [verb, procedure] of Object.entries(verbs)) {
      if (!takesSecret(verb, procedure['~orpc'].inputSchema)) continue;
      if (NOT_SECRET.includes(`${domain}.${verb}`)) continue;
      secret.push(`${domain}.${verb}`);
      const routes: Record<string, unknown> = app.contract[domain as keyof typeof contract];
      const route = routes[verb];
      if (!isProcedure(route)) throw new Error(`${domain}.${verb} has no route.`);
      if (!route['~orpc'].middlewares.includes(confidential as never)) open.push(`${domain}.${verb}`);
    }
  }
  expect(open).toEqual([]);
  // The test would hold of nothing as well.
  expect(secret).toEqual(
    expect.arrayContaining(['chain.send', 'wallet.draft', 'wallet.changePassword', 'backup.open']),
  );
  await app[Symbol.asyncDispose]();
  await folder.remove();
});
