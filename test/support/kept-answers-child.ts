import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { Changes } from '../../src-main/base/changes.ts';
import type { AnswerEvent } from '../../src-main/inference/backend.ts';
import { AnswerKeeper } from '../../src-main/learning/feedback/answer-keeper.ts';
import { FeedbackDesk } from '../../src-main/learning/feedback/feedback-desk.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { CompletionStore } from '../../src-main/store/learning/learning-completions.ts';
import { FeedbackStore } from '../../src-main/store/learning/learning-feedback.ts';
import { report } from './report.ts';
import { done } from './scripted-ask.ts';

/*
 * A process that answers, keeps its answers, and takes feedback on them until it is killed: `node kept-answers-child.ts DATABASE NAME`. Whatever it
 * says is over, or given, is reported on standard output.
 */

flushCompileCache(); // who is killed does not do it at the end

const [, , path = '', name = ''] = process.argv;
const db = await openDatabase(path);
const store = new CompletionStore(db);
// So little that what is old has to go all the time.
const choice = () => ({ keep: true, keepDays: 30, keepMb: 1 });
const keeper = new AnswerKeeper({ store, choice, log: pino({ level: 'silent' }) });
const desk = new FeedbackDesk({
  ...{ completions: store, feedback: new FeedbackStore(db), adapter: () => 'personal', changes: new Changes() },
});
keeper.open();
await Promise.all([1, 2, 3].map((line) => answer(line)));

async function* says(text: string): AsyncGenerator<AnswerEvent> {
  yield { type: 'chunk', text, tokens: 1, logprobs: [{ token: text, id: 7, bytes: [], logprob: -1, top: [] }] };
  yield { ...done(text), tokenIds: [7, 2] } as AnswerEvent;
}

async function answer(line: number): Promise<never> {
  for (let round = 0; ; round++) {
    const id = `${name}-${line}-${round}`;
    const asked = { input: { messages: [{ role: 'user' as const, content: `${id} `.repeat(300) }] } };
    const origin = { id, door: 'api', model: 'm', base: 'b', adapter: null } as const;
    for await (const event of keeper.keep(asked, () => says(`Answer ${id}`), origin))
      if (event.type === 'done') await report({ answer: id });
    if (round % 10 > 0) continue;
    const { id: feedback } = await desk.give({ answer: id, kind: 'say', text: id, key: id });
    await report({ feedback, of: id });
  }
}
