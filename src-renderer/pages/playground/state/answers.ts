import { create } from 'zustand';
import type {
  AttachedFile,
  Conversation,
  ConversationEvent,
  Sources,
  ToolUse,
  Turn,
} from '../../../../src-preload/contract/conversations.ts';
import type { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { api, client } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { worded } from '../../../i18n/worded.ts';
import { upload } from '../files/upload.ts';

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
  /** Tools that were used for it. */
  uses?: ToolUse[] | undefined;
  /** Where the request stands before its first word. */
  stage: 'filing' | 'asking' | 'chosen' | 'queued' | 'writing';
  /** How much of the long files is read for the first time, 0–1. */
  filed?: number;
  /** What of long files the model was given. */
  sources?: Sources | undefined;
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

/** What is asked, with the files that go with it, and those that are searched for what fits it. */
interface Question {
  text: string;
  files: AttachedFile[];
  long: AttachedFile[];
}

/** Asks, and keeps the answer of the conversation up to date until it has ended. */
export function ask(id: string, { text, files, long }: Question, turns: Turn[]): Promise<void> {
  const shown = [...files.map(sizeOf), ...long.map((file) => ({ ...sizeOf(file), long: true }))];
  const question: Turn = { ...asked(text), ...(shown.length > 0 && { files: shown }) };
  return follow(id, [...turns, question], async (signal) => {
    const brought = {
      ...(files.length > 0 && { files }),
      ...(long.length > 0 && { long: await upload(id, long, signal) }),
    };
    return await client.conversations.ask({ id, text, ...brought }, { signal });
  });
}

function sizeOf({ name, text }: AttachedFile) {
  return { name, chars: text.length };
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
    case 'filing':
      change(id, (answer) => ({ ...answer, stage: 'filing', filed: event.done / Math.max(1, event.total) }));
      break;
    case 'sources':
      change(id, (answer) => ({ ...answer, stage: 'asking', sources: event.sources }));
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
      change(id, ({ turns, turn, target, uses, sources }) => ({
        turns,
        turn,
        target,
        uses,
        sources,
        ...NOTHING_YET,
        restarted: worded(event, 'reason'),
      }));
      break;
    case 'chunk':
      pending.add(event);
      break;
    case 'call':
      pending.flush();
      change(id, (answer) => ({ ...answer, uses: withUse(answer.uses, event.call) }));
      break;
    case 'ended':
      showConversation(event.conversation);
      break;
    case 'version':
    case 'paid':
    case 'done':
      break;
  }
}

/** A use is told of before and after: the later word counts. */
function withUse(uses: readonly ToolUse[] = [], use: ToolUse): ToolUse[] {
  return [...uses.filter(({ number }) => number !== use.number), use];
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

  /** Shows now what there is: something else comes behind it. */
  flush(): void {
    if (this.#timer !== undefined) this.#show();
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
