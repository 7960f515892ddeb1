import { create } from 'zustand';
import type {
  AttachedFile,
  Conversation,
  ConversationEvent,
  Turn,
} from '../../../src-preload/contract/conversations.ts';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { api, client } from '../../api/client.ts';
import { toQuarryError } from '../../api/errors.ts';
import { queryClient } from '../../api/query-client.ts';
import { worded } from '../../i18n/worded.ts';

/** An answer that is coming, whether or not its conversation is shown. */
export interface RunningAnswer {
  turns: Turn[];
  /** What its turn will be; known once main has taken the question. */
  turn?: number | undefined;
  /** Who is asked; likewise. */
  target?: 'local' | 'mesh' | undefined;
  /** What of the answer has come. */
  text: string;
  /** How much that is in tokens, and when the first of it came, in Unix milliseconds. */
  tokens: number;
  beganAt?: number;
  /** Where the request stands before its first word. */
  stage: 'asking' | 'chosen' | 'queued' | 'writing';
  worker?: string;
  position?: number;
  etaMs?: number;
  /** Why an earlier worker's answer was dropped. */
  restarted?: string;
}

interface Answers {
  /** By conversation. */
  running: Record<string, RunningAnswer>;
  /** Why the last question of a conversation was not even taken. */
  failed: Record<string, QuarryError>;
}

/** Answers live here and not in the page: they go on while another page is shown. */
export const useAnswers = create<Answers>(() => ({ running: {}, failed: {} }));

const controllers = new Map<string, AbortController>();

/** What is asked, with the files that go with it. */
interface Question {
  text: string;
  files: AttachedFile[];
}

/** Asks, and keeps the answer of the conversation up to date until it has ended. */
export function ask(id: string, { text, files }: Question, turns: Turn[]): Promise<void> {
  const shown = files.map(({ name, text: { length } }) => ({ name, chars: length }));
  const question: Turn = { ...asked(text), ...(files.length > 0 && { files: shown }) };
  const brought = files.length > 0 ? { files } : {};
  return follow(id, [...turns, question], (signal) => client.conversations.ask({ id, text, ...brought }, { signal }));
}

/** Asks something else in place of an earlier question; what was there stays as a branch of its own. */
export function edit(id: string, place: Turn, text: string, turns: Turn[]): Promise<void> {
  const question: Turn = { ...asked(text), ...(place.files && { files: place.files }) };
  const earlier = turns.slice(0, turns.indexOf(place));
  const change = { id, turn: place.id, text };
  return follow(id, [...earlier, question], (signal) => client.conversations.edit(change, { signal }));
}

/** A question that main has not numbered yet. */
function asked(text: string): Turn {
  return { id: Number.MAX_SAFE_INTEGER, role: 'user', text, at: Date.now(), answer: null };
}

/** Asks the last question again. */
export function regenerate(id: string, turns: Turn[]): Promise<void> {
  const kept = turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
  return follow(id, kept, (signal) => client.conversations.regenerate({ id }, { signal }));
}

const NOTHING_YET = { text: '', tokens: 0, stage: 'asking' } as const;

/** Ends the answer; what came of it is kept. */
export function stop(id: string): void {
  controllers.get(id)?.abort();
}

async function follow(
  id: string,
  turns: Turn[],
  open: (signal: AbortSignal) => Promise<AsyncIterable<ConversationEvent>>,
): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  const pending = new PendingText(id);
  change(id, () => ({ turns, ...NOTHING_YET }));
  fail(id, undefined);
  try {
    for await (const event of await open(controller.signal)) take(id, event, pending);
  } catch (error) {
    if (!controller.signal.aborted) fail(id, toQuarryError(error));
  } finally {
    pending.drop();
    controllers.delete(id);
    void queryClient.invalidateQueries({ queryKey: api.conversations.answered.key() });
    await queryClient.invalidateQueries({ queryKey: api.conversations.get.queryKey({ input: { id } }) });
    useAnswers.setState(({ running: { [id]: _, ...running } }) => ({ running }));
  }
}

function take(id: string, event: ConversationEvent, pending: PendingText): void {
  switch (event.type) {
    case 'turns':
      change(id, (answer) => ({
        ...answer,
        turns: withoutDraft(event.turns),
        turn: event.turns.at(-1)?.id,
        target: event.turns.at(-1)?.answer?.target,
      }));
      break;
    case 'worker':
      change(id, (answer) => ({ ...answer, stage: 'chosen', worker: event.worker }));
      break;
    case 'queued': {
      const { worker, position, etaMs } = event;
      change(id, (answer) => ({ ...answer, stage: 'queued', worker, position, etaMs }));
      break;
    }
    case 'restart':
      pending.drop();
      change(id, ({ turns, turn, target }) => ({
        turns,
        turn,
        target,
        ...NOTHING_YET,
        restarted: worded(event, 'reason'),
      }));
      break;
    case 'chunk':
      pending.add(event);
      break;
    case 'ended':
      showConversation(event.conversation);
      break;
    case 'paid':
    case 'done':
      break;
  }
}

/** The answer that is being written is shown from its stream. */
function withoutDraft(turns: Turn[]): Turn[] {
  return turns.filter(({ answer }) => answer?.state !== 'answering');
}

/** Its title may have come from the question. */
function showConversation(conversation: Conversation): void {
  queryClient.setQueriesData<Conversation[]>({ queryKey: api.conversations.list.key() }, (list) =>
    list?.map((one) => (one.id === conversation.id ? conversation : one)),
  );
}

function change(id: string, next: (answer: RunningAnswer) => RunningAnswer): void {
  useAnswers.setState(({ running }) => ({
    running: { ...running, [id]: next(running[id] ?? { turns: [], ...NOTHING_YET }) },
  }));
}

function fail(id: string, error: QuarryError | undefined): void {
  useAnswers.setState(({ failed: { [id]: _, ...failed } }) => ({
    failed: error ? { ...failed, [id]: error } : failed,
  }));
}

/** Milliseconds between two times that new text is shown: a fast model writes hundreds of pieces a second. */
const SHOW_MS = 50;

/** Text that came but is not shown yet. */
class PendingText {
  readonly #id: string;
  #text = '';
  #tokens = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  add({ text, tokens }: { text: string; tokens: number }): void {
    this.#text += text;
    this.#tokens += tokens;
    this.#timer ??= setTimeout(() => this.#show(), SHOW_MS);
  }

  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#text = '';
    this.#tokens = 0;
  }

  #show(): void {
    const [text, tokens] = [this.#text, this.#tokens];
    this.drop();
    change(this.#id, (answer) => ({
      ...answer,
      stage: 'writing',
      text: answer.text + text,
      tokens: answer.tokens + tokens,
      beganAt: answer.beganAt ?? Date.now(),
    }));
  }
}
