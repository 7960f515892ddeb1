import { expect, it } from 'vitest';
import type { AnswerEvent } from '../../../../src-main/inference/backend.ts';
import { checkCalls } from '../../../../src-main/inference/tools/answer-calls.ts';
import { SchemaCheck } from '../../../../src-main/inference/tools/schema-check.ts';
import { done } from '../../../support/server-harness.ts';

/** Backtracks at each letter: it does not end before the world does. */
const endless = { schema: { type: 'string', pattern: '^(a+)+$' }, args: JSON.stringify(`${'a'.repeat(60)}!`) };
const clock = { schema: { type: 'object', required: ['zone'] }, args: '{"zone":"Oslo"}' };

it('tells of each whether it fits, and of what cannot be checked that it does not', async () => {
  const check = new SchemaCheck();
  try {
    const orders = [clock, { ...clock, args: '{}' }, { schema: { $ref: '#/nowhere' }, args: '{}' }];
    expect(await check.fit(orders)).toEqual([true, false, false]);
    expect(await check.fit([clock])).toEqual([true]);
    expect(await check.fit([])).toEqual([]);
  } finally {
    await check.close();
  }
});

it.each<[string, object, unknown]>([
  ['a pattern', endless.schema, `${'a'.repeat(60)}!`],
  ['a format', { type: 'string', format: 'url' }, `http://${'1'.repeat(60)}.${'a-'.repeat(60)}!`],
  ['lists that may hold nothing twice', { uniqueItems: true }, Array.from({ length: 15_000 }, (_, at) => [at])],
])('%s keeps this thread from nothing, and the other one for a moment', async (_, schema, value) => {
  const check = new SchemaCheck();
  let turns = 0;
  const timer = setInterval(() => turns++, 10);
  try {
    const before = process.cpuUsage();
    const args = JSON.stringify(value);
    await check.fit(Array.from({ length: 32 }, () => ({ schema, args })));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(6_000); // milliseconds, with the start of a thread
    expect(turns).toBeGreaterThan(5);
  } finally {
    clearInterval(timer);
    await check.close();
  }
});

it('gives an answer one time for all its calls: behind it all are text', async () => {
  const call = (name: string, args: string) => ({ id: name, name, arguments: args });
  const tools = [
    { name: 'slow', parameters: { properties: { text: endless.schema } } },
    { name: 'clock', parameters: clock.schema },
  ];
  async function* events(): AsyncGenerator<AnswerEvent> {
    yield { type: 'chunk', text: '', tokens: 1, toolCalls: [call('clock', clock.args)] };
    yield { type: 'chunk', text: '', tokens: 1, toolCalls: [call('slow', `{"text":${endless.args}}`)] };
    yield { type: 'chunk', text: '', tokens: 1, toolCalls: [call('clock', clock.args)] };
    yield done({ text: '', finish: 'tool_calls' });
  }
  const checked = await Array.fromAsync(checkCalls(events(), { tools }));
  expect(checked.at(-1)).toMatchObject({ result: { toolCalls: [{ name: 'clock' }], finish: 'tool_calls' } });
  expect(checked.slice(1, 3).every((event) => event.type === 'chunk' && event.text.startsWith('<tool_call>'))).toBe(
    true,
  );
});
