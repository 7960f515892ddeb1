import { expect, it } from 'vitest';
import { FLEET_NETWORK, type FleetMessage } from '../../../../src-main/mesh/fleet/messages.ts';
import { fromWords, toWords } from '../../../../src-main/mesh/fleet/summary-words.ts';
import { POLICY_RULES } from '../../../../src-preload/contract/activity.ts';
import type { NodeSummary } from '../../../../src-preload/contract/fleet.ts';
import { ROLES } from '../../../../src-preload/contract/node.ts';
import { NODE_STANDINGS } from '../../../../src-preload/contract/standing.ts';
import { SUMMARY } from '../../../support/fleet-node.ts';

/** What is understood of a summary that came as JSON. @throws where that is an offence */
function heard(summary: unknown): NodeSummary {
  const said = JSON.parse(JSON.stringify({ v: 2, type: 'node-summary', summary, control: false }));
  const message: FleetMessage = FLEET_NETWORK.schema.parse(said);
  return message.type === 'node-summary' ? fromWords(message.summary) : expect.unreachable();
}

it('says everything that a summary has', () => {
  const full: NodeSummary = {
    ...SUMMARY,
    standing: 'paused',
    rule: 'heat',
    detail: 'x'.repeat(300),
    use: { cpu: 10, memory: 20, gpu: 30, vram: 40 },
    gpu: { name: 'GeForce RTX 3060', temperature: 70 },
  };
  expect(heard(toWords(full))).toEqual(full);
  expect(heard(toWords(SUMMARY))).toEqual(SUMMARY);
});

it.each([
  ...NODE_STANDINGS.map((standing) => ({ standing })),
  ...POLICY_RULES.map((rule) => ({ rule })),
  ...ROLES.map((role) => ({ role })),
])('has room for the word of %j', (words) => {
  expect(heard(toWords({ ...SUMMARY, ...words }))).toMatchObject(words);
});

it('takes what a newer version says, and shows what it knows of it', () => {
  const words = toWords(SUMMARY);
  const newer = {
    ...words,
    role: 'archivist',
    standing: 'validating',
    rule: 'full-moon',
    facts: { ...words.facts, challenges: 12, set: 'text-2', memory: 'plenty', tokensPerSecond: -1, constructor: 1 },
  };
  const { use: _, tokensPerSecond: __, ...known } = SUMMARY;
  expect(heard(newer)).toEqual({ ...known, role: 'other', standing: 'other', rule: 'other' });
});

it.each([
  ['more facts than there may be', Object.fromEntries(Array.from({ length: 41 }, (_, i) => ['a'.repeat(i + 1), 1]))],
  ['a list', { models: ['tiny'] }],
  ['a text that is too long', { detail: 'x'.repeat(301) }],
  ['a name that is no name', { 'a b': 1 }],
])('takes no facts that are %s', (_what, facts) => {
  expect(() => heard({ ...toWords(SUMMARY), facts })).toThrow();
});
