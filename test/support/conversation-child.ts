import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { Conversations } from '../../src-main/conversations/conversations.ts';
import { type AnswerTurn, ConversationStore } from '../../src-main/store/conversations/conversations.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import type { AskEvent, AskRequest } from '../../src-preload/contract/inference.ts';
import { longFilesIn } from './long-files.ts';
import { report } from './report.ts';
import { done } from './scripted-ask.ts';

/*
 * A process that holds conversations until it is killed: `node conversation-child.ts DATABASE`. One answer never ends, the
 * others are short. Whatever it shows as kept is reported on standard output.
 */

flushCompileCache(); // who is killed does not do it at the end

/** Words of a short answer. */
const SHORT = 30;

class ReportingStore extends ConversationStore {
  override async saveAnswer(turn: AnswerTurn): Promise<void> {
    await super.saveAnswer(turn);
    await report({ kept: 'answer', turn: turn.id, text: turn.text, state: turn.answer.state, uses: turn.answer.uses });
  }
}

/** Wants something computed, and then counts, as long as the question says. */
async function* count({ messages }: AskRequest, signal: AbortSignal): AsyncGenerator<AskEvent> {
  const end = done('');
  if (messages.at(-1)?.role === 'user' && end.type === 'done') {
    const toolCalls = [{ id: 'a', name: 'calculator', arguments: '{"expression":"12 * 7"}' }];
    return yield { ...end, result: { ...end.result, finish: 'tool_calls', toolCalls } };
  }
  const asked = messages.findLast(({ role }) => role === 'user');
  const words = asked?.content.startsWith('endless') ? Number.POSITIVE_INFINITY : SHORT;
  let text = '';
  for (let word = 0; word < words && !signal.aborted; word++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    text += `${word} `;
    yield { type: 'chunk', text: `${word} `, tokens: 1 };
  }
  yield done(text);
}

const db = await openDatabase(process.argv[2] ?? '');
const store = new ReportingStore(db);
const conversations = new Conversations({
  store,
  longFiles: longFilesIn(db),
  ask: count,
  log: pino({ level: 'silent' }),
});
await conversations.open();
await Promise.all([talk('endless'), talk('short'), talk('short')]);

async function talk(what: string): Promise<never> {
  const { id } = await conversations.create({ target: 'local', tools: ['calculator'] });
  for (let round = 0; ; round++) {
    for await (const event of conversations.ask(id, { text: `${what} ${round}` })) {
      if (event.type !== 'turns') continue;
      await report({ kept: 'question', turn: event.turns.at(-2)?.id, text: `${what} ${round}` });
    }
  }
}
