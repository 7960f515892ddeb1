import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { receiptSchema } from '../../../src-main/credits/receipt.ts';
import { NETWORKS } from '../../../src-main/mesh/networks.ts';
import { failureSchema } from '../../../src-main/mesh/scores/score-entry.ts';
import { PROTOCOL_VERSION } from '../../../src-main/mesh/transport/envelope.ts';
import { helloSchema, pingSchema, pongSchema } from '../../../src-main/mesh/transport/messages.ts';

// What reads a list or a record is a function, of which no JSON schema tells: here it is a list as zod knows them.
vi.mock('../../../src-preload/contract/bounded.ts', () => ({
  boundedArray: (element: z.ZodType, max: number, min = 0) => z.array(element).min(min).max(max),
  boundedRecord: (key: z.ZodString, value: z.ZodType) => z.record(key, value),
}));

const WHAT_TO_DO = `What peers of version ${PROTOCOL_VERSION} may say to each other has changed, and they take what they do not know for an offence.
A new field needs \`caps\` or a new version: docs/protocol.md, section 12. What was meant goes there too, and then into test/fixtures/wire/`;

const shapeOf = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any' });

/** Besides the networks' own messages: what is said on all of them, and what others read in score logs. */
const common = {
  hello: helloSchema,
  ping: pingSchema,
  pong: pongSchema,
  receipt: receiptSchema,
  failure: failureSchema,
};
const shapes: [name: string, shape: unknown][] = [
  ...Object.entries(common).map(([name, schema]): [string, unknown] => [name, shapeOf(schema)]),
  ...Object.values(NETWORKS).map(({ name, schema, maxFrame }): [string, unknown] => [
    name,
    { maxFrame, messages: shapeOf(schema) },
  ]),
];
const fixtures = new URL(`../../fixtures/wire/v${PROTOCOL_VERSION}/`, import.meta.url);

it.each(shapes)('the shape of %s is that of its version', (name, shape) => {
  const frozen = JSON.parse(readFileSync(new URL(`${name}.json`, fixtures), 'utf8'));
  expect(shape, `${WHAT_TO_DO}v${PROTOCOL_VERSION}/${name}.json.`).toEqual(frozen);
});

it('every message that has a shape is still there', () => {
  expect(readdirSync(fixtures).sort(), WHAT_TO_DO).toEqual(shapes.map(([name]) => `${name}.json`).sort());
});

const FROZEN =
  'A version that was released is never edited: peers speak it. What changes is the next PROTOCOL_VERSION, with a folder of its own.';

/** Of all shapes of a version: what test/fixtures/wire/released.json holds of each that was released. */
function hashOf(version: string): string {
  const folder = new URL(`../../fixtures/wire/${version}/`, import.meta.url);
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(`${name}\n${readFileSync(new URL(name, folder), 'utf8')}`);
  return hash.digest('hex');
}

it('what was released is as it was, and a release notes what it freezes', () => {
  const released = JSON.parse(readFileSync(new URL('../../fixtures/wire/released.json', import.meta.url), 'utf8'));
  const found = Object.fromEntries(Object.keys(released).map((version) => [version, hashOf(version)]));
  expect(found, FROZEN).toEqual(released);
  // Until its first release a version may change.
  if (process.env.QUARRY_RELEASE) {
    const current = `v${PROTOCOL_VERSION}`;
    expect(released, 'test/fixtures/wire/released.json').toHaveProperty(current, hashOf(current));
  }
});
