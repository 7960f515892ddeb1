import { setTimeout as sleep } from 'node:timers/promises';
import type { Preset, Sources, Turn } from '../../../../src-preload/contract/conversations.ts';
import * as data from '../sample-data.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';

/** The contract's `conversations` out of a script: conversations, and an answer that comes word by word. */
export function script(os: ScriptedOs['conversations'], answers: ScriptedData): Script<'conversations'> {
  const { conversations } = answers;
  const found = (id: string) => {
    const one = conversations.find(({ conversation }) => conversation.id === id);
    if (!one) throw new Error(`There is no conversation ${id}.`);
    return one;
  };
  const answer = async function* (id: string, text: string | undefined, place?: number) {
    const one = found(id);
    const at = Date.now();
    if (place !== undefined) branch(one.turns, place);
    const versions = place === undefined ? {} : { versions: [place, 101] };
    if (text === undefined) one.turns.pop();
    else
      one.turns.push({
        id: place === undefined ? one.turns.length + 1 : 101,
        role: 'user',
        text,
        at,
        ...versions,
        answer: null,
      });
    const { target, model } = one.conversation.options;
    const turn: Turn = {
      id: one.turns.length + 101,
      role: 'assistant',
      text: '',
      at,
      answer: {
        state: 'answering',
        target,
        model: 'qwen2.5-7b-instruct-q4_k_m',
        worker: target === 'mesh' ? data.nodeId('beef') : null,
        tokens: 0,
        firstTokenMs: 310,
        totalMs: null,
        tokensPerSecond: null,
        paid: [],
        error: null,
      },
    };
    one.turns.push(turn);
    yield { type: 'turns' as const, turns: one.turns };
    const worker = data.nodeId('beef');
    if (target === 'mesh') yield { type: 'worker' as const, worker };
    if (target === 'mesh') yield { type: 'queued' as const, worker, position: 2, etaMs: 1_500, tier: 'gold' };
    const version = target === 'local' && model === 'personal@latest' ? 'personal@2' : undefined;
    if (version !== undefined) yield { type: 'version' as const, version };
    let tokens = 0;
    for (const use of answers.uses) {
      yield { type: 'call' as const, call: { ...use, result: null } };
      yield { type: 'call' as const, call: use };
    }
    if (turn.answer && answers.uses.length > 0) turn.answer.uses = answers.uses;
    try {
      for await (const piece of answers.answer()) {
        if (answers.pieceMs > 0) await sleep(answers.pieceMs);
        turn.text += piece;
        tokens++;
        yield { type: 'chunk' as const, text: piece, tokens: 1 };
      }
      turn.answer = turn.answer && {
        ...turn.answer,
        state: 'done',
        ...(version !== undefined && { version }),
        tokens,
        totalMs: 1_400,
        tokensPerSecond: 41,
        paid: target === 'mesh' ? [{ worker, credits: 2, from: 'claim' }] : [],
      };
      yield { type: 'ended' as const, turn, conversation: one.conversation };
    } finally {
      if (turn.answer?.state === 'answering') turn.answer = { ...turn.answer, state: 'stopped' };
    }
  };
  const longFiles: { name: string; text: string }[] = [];
  let presets: Preset[] = [];
  /** What a branch has taken the place of. */
  let before: Turn[] = [];
  const branch = (turns: Turn[], place: number) => {
    before = turns.splice(turns.findIndex(({ id }) => id === place));
    before = before.map((turn, at) => (at === 0 ? { ...turn, versions: [place, 101] } : turn));
  };
  return {
    list: os.list.handler(() => conversations.map(({ conversation }) => conversation)),
    create: os.create.handler(({ input }) => {
      const at = Date.now();
      const conversation = {
        id: crypto.randomUUID(),
        title: 'New conversation',
        createdAt: at,
        updatedAt: at,
        options: input,
      };
      conversations.unshift({ conversation, turns: [] });
      return conversation;
    }),
    get: os.get.handler(({ input }) => found(input.id)),
    update: os.update.handler(({ input: { id, ...changes } }) => Object.assign(found(id).conversation, changes)),
    answered: os.answered.handler(() => answers.answered),
    addFile: os.addFile.handler(({ input }) => {
      const { to = longFiles.push({ name: input.name, text: '' }) } = input;
      const file = longFiles[to - 1];
      if (file) file.text += input.text;
      return { long: to };
    }),
    searcher: os.searcher.handler(() => ({ model: answers.searcher })),
    presets: os.presets.handler(() => presets),
    savePreset: os.savePreset.handler(({ input }) => {
      presets = [...presets.filter(({ name }) => name !== input.name), input];
      return presets;
    }),
    removePreset: os.removePreset.handler(({ input }) => {
      presets = presets.filter(({ name }) => name !== input.name);
      return presets;
    }),
    remove: os.remove.handler(({ input }) => {
      conversations.splice(conversations.indexOf(found(input.id)), 1);
    }),
    removeAll: os.removeAll.handler(() => {
      conversations.length = 0;
    }),
    ask: os.ask.handler(async function* ({ input: { id, text, files = [], long = [] } }) {
      const searched = long.flatMap((number) => longFiles[number - 1] ?? []);
      for await (const event of answer(id, text)) {
        const [question, given] = found(id).turns.slice(-2);
        const kept = [...files.map(sizeOf), ...searched.map((file) => ({ ...sizeOf(file), long: true }))];
        if (question && kept.length > 0) question.files = kept;
        if (given?.answer && searched.length > 0) given.answer.sources = sourcesIn(searched, answers.searcher);
        yield event;
      }
    }),
    edit: os.edit.handler(({ input }) => answer(input.id, input.text, input.turn)),
    show: os.show.handler(({ input }) => {
      const one = found(input.id);
      const other = one.turns.splice(one.turns.findIndex(({ versions }) => versions));
      one.turns.push(...before);
      before = other;
      return one;
    }),
    regenerate: os.regenerate.handler(({ input }) => answer(input.id, undefined)),
  };
}

function sizeOf({ name, text }: { name: string; text: string }) {
  return { name, chars: text.length };
}

/** The last page of each file. */
function sourcesIn(files: readonly { name: string; text: string }[], searcher: string | null): Sources {
  const passages = files.map(({ name, text }) => {
    const pages = text.split('\f');
    return { file: name, page: pages.length > 1 ? pages.length : null, text: pages.at(-1) ?? '' };
  });
  return { by: searcher === null ? 'words' : 'meaning', passages };
}
