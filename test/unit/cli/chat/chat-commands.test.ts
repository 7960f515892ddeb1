import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatState, runChatCommand } from '../../../../src-main/cli/chat/chat-commands.ts';
import type { NodeClient } from '../../../../src-main/cli/terminal/node-client.ts';
import type { Output } from '../../../../src-main/cli/terminal/output.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'quarry-chat-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const turns = [
  { id: 1, role: 'user', text: 'Hi', at: 0, answer: null },
  { id: 2, role: 'assistant', text: 'Hello.\n', at: 0, answer: { model: 'tiny' } },
];
const node = {
  conversations: { get: async ({ id }: { id: string }) => ({ conversation: { id, title: 'Hi' }, turns }) },
} as unknown as NodeClient;

/** One that is told of feedback, and of options. */
function learner(target: 'local' | 'mesh', said: string[] = []) {
  const told: object[] = [];
  const answered = { id: 8, role: 'assistant', text: 'Yes.', at: 0, answer: { target } };
  const learning = {
    conversations: {
      get: async () => ({ conversation: {}, turns: [...turns, { ...turns[0], id: 7 }, answered] }),
      update: async (input: object) => void told.push(input),
    },
    learning: {
      give: async (input: object) => {
        told.push(input);
        return { id: 3 };
      },
      feedback: async ({ answers }: { answers: string[] }) => ({
        feedback: answers.flatMap((answer) => said.map((state, id) => ({ id, answer, state }))),
      }),
    },
  } as unknown as NodeClient;
  return { learning, told };
}

/** Runs commands one after the other. */
async function run(state: Partial<ChatState>, ...lines: string[]) {
  return await runWith(node, state, ...lines);
}

async function runWith(node: NodeClient, state: Partial<ChatState>, ...lines: string[]) {
  const said: string[] = [];
  const say = (text = '') => void said.push(stripVTControlCharacters(text));
  const documents: unknown[] = [];
  const document = (value: unknown) => void documents.push(value);
  const output: Output = { json: false, line: say, write: say, note: say, document };
  const chat: ChatState = { options: { target: 'local' }, changed: false, ...state };
  const steps = [];
  for (const line of lines) steps.push(await runChatCommand(line, chat, { node, output }));
  return { chat, said, steps, documents };
}

describe('feedback in a chat', () => {
  it('is said of the last answer', async () => {
    const { learning, told } = learner('local');
    const { said, documents } = await runWith(learning, { id: 'x' }, '/feedback Be\nshorter.');
    expect(told).toEqual([{ answer: 'turn-8', kind: 'say', text: 'Be\nshorter.' }]);
    expect(said).toEqual(['Kept as feedback 3; it waits to be learnt.']);
    expect(documents).toEqual([{ feedback: { id: 3 } }]);
  });

  it('is a thumb where only up or down is said', async () => {
    const { learning, told } = learner('local');
    const { said } = await runWith(learning, { id: 'x' }, '/feedback up', '/feedback Down', '/feedback down the hill');
    expect(told).toEqual([
      { answer: 'turn-8', kind: 'up' },
      { answer: 'turn-8', kind: 'down' },
      { answer: 'turn-8', kind: 'say', text: 'down the hill' },
    ]);
    expect(said[0]).toMatch(/^Noted as feedback 3\. Nothing is learnt from a thumb/);
  });

  it('needs words, an answer, and one of this machine', async () => {
    const { learning, told } = learner('mesh');
    for (const [state, line] of [
      [{ id: 'x' }, '/feedback'],
      [{}, '/feedback Hm.'],
      [{ id: 'x' }, '/feedback Hm.'],
    ] as const)
      await expect(runWith(learning, state, line)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(told).toEqual([]);
  });

  it('is not for private conversations: what is kept of them is forgotten at once', async () => {
    const { learning, told } = learner('local');
    const { chat } = await runWith(learning, { id: 'x' }, '/private', '/private on', '/private');
    expect(told).toEqual([{ id: 'x', options: { target: 'local', private: true } }]);
    expect(chat.options).toEqual({ target: 'local', private: true });
    const off = await runWith(learning, { options: chat.options }, '/private off');
    expect(off.chat.options).toEqual({ target: 'local' });
    await expect(runWith(learning, { id: 'x', options: chat.options }, '/feedback Hm.')).rejects.toThrow('is private');
    await expect(runWith(learning, {}, '/private maybe')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a chat that becomes private', () => {
  it('says that nothing is kept, and what stays where something was learnt from it', async () => {
    const { said } = await runWith(learner('local', ['withdrawn']).learning, { id: 'x' }, '/private on');
    expect(said).toEqual(['Nothing of it is kept for learning.']);
    const { learning } = learner('local', ['withdrawn', 'learnt', 'taken']);
    const stays = await runWith(learning, { id: 'x' }, '/private on');
    expect(stays.said.join('')).toMatch(
      /^Nothing of it.*stays, with the answers that it was said of: feedback 1, 2\. /,
    );
  });
});

describe('commands of a chat', () => {
  it('choose who answers, and with which model', async () => {
    const { chat, said, steps } = await run({}, '/model', '/model qwen3-4b', '/mesh', '/MODEL any', '/model ./a.gguf');
    expect(said).toEqual([
      'This machine answers.',
      'From now on this machine (qwen3-4b) answers.',
      'From now on the mesh answers.',
      'From now on the mesh answers.',
      expect.stringMatching(/^From now on the mesh \(\/.*a\.gguf\) answers\.$/),
    ]);
    expect(steps).toEqual(['on', 'reopen', 'reopen', 'reopen', 'reopen']);
    expect(chat.changed).toBe(true);
  });

  it('set and take away instructions, begin anew, and leave', async () => {
    const { chat, said, steps } = await run(
      { id: 'x' },
      '/system Be\nbrief.',
      '/system',
      '/system none',
      '/clear',
      '/bye',
    );
    expect(said[1]).toBe('Be\nbrief.');
    expect(chat).toEqual({ options: { target: 'local' }, changed: true, id: undefined });
    expect(steps.at(-1)).toBe('leave');
  });

  it('save as Markdown or JSON, over nothing that is there', async () => {
    const [markdown, json] = [join(dir, 'a.md'), join(dir, 'a.json')];
    await run({ id: 'x' }, `/save ${markdown}`, `/save ${json}`);
    expect(await readFile(markdown, 'utf8')).toBe('# Hi\n\n**You**\n\nHi\n\n**tiny**\n\nHello.\n');
    expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({ id: 'x', turns: [{ text: 'Hi' }, {}] });
    await expect(run({ id: 'x' }, `/save ${json}`)).rejects.toThrow('is there already');
    await expect(run({}, '/save b.md')).rejects.toThrow('Nothing was asked yet.');
  });

  it('name the one that was meant, where one is near', async () => {
    await expect(run({}, '/modle x')).rejects.toMatchObject({ hint: 'Did you mean /model?' });
    await expect(run({}, '/weather')).rejects.toMatchObject({ hint: expect.stringContaining('/help') });
    expect((await run({}, '/help')).said.join('\n')).toMatch(/\/model \[NAME\].*\n.*\/local/);
  });
});
