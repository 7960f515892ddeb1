import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, type Words } from '../../../src-preload/contract/saying.ts';
import type { CompletionRow } from '../../store/learning/learning-completions.ts';
import { type ClientTraining, wishedTraining } from './client-training.ts';
import type { FeedbackDesk } from './feedback-desk.ts';
import type { AdapterPort, RunOutcome, RunPort } from './ports.ts';

/** What a program says of one answer. */
export interface ClientItem {
  /** Id of the answer; where there is none, or nothing is kept under it, the newest with this `response` is meant. */
  completion?: string | undefined;
  /** What people see of the answer. */
  response: string;
  /** What should be different. */
  feedback: string;
}

export interface ClientBatch {
  /** Name of the adapter that is to learn, or id of one of its versions. */
  adapter: string;
  items: readonly ClientItem[];
  training: ClientTraining;
  /** Whether it is learnt at once. Otherwise it waits with the rest. */
  wait: boolean;
  /** Names the batch: what is sent twice counts once. Default: it counts by itself. */
  key?: string | undefined;
}

export interface BatchOutcome {
  /** Ids of what was given. */
  feedback: number[];
  /** Absent where it waits. */
  outcome?: RunOutcome;
}

export interface ClientFeedbackOptions {
  desk: Pick<FeedbackDesk, 'answer' | 'giveAll'>;
  /** Undefined where this node has none. */
  adapters: AdapterPort | undefined;
  runs: RunPort | undefined;
}

/** Feedback of programs, in the way of CLaaS: a batch is looked through as a whole, kept, and learnt before it is answered. */
export class ClientFeedback {
  readonly #options: ClientFeedbackOptions;

  constructor(options: ClientFeedbackOptions) {
    this.#options = options;
  }

  /** @throws NOT_RUNNING on a node that has none */
  get adapters(): AdapterPort {
    return this.#options.adapters ?? refuse(say('learning.noAdapters'));
  }

  /** Why nothing can be learnt here now; undefined where something can. */
  hindrance(): Words | undefined {
    const { runs } = this.#options;
    return runs ? runs.hindrance() : say('learning.noTraining');
  }

  /**
   * Nothing is kept of a batch that cannot be learnt as a whole.
   * @throws NOT_RUNNING, ANSWER_NOT_FOUND, ANSWER_INCOMPLETE, ADAPTER_NOT_FOUND, and what {@link RunPort.learn} throws: then what was given waits
   */
  async take(
    { adapter: ref, items, training: wanted, wait, key }: ClientBatch,
    signal: AbortSignal,
  ): Promise<BatchOutcome> {
    const { desk } = this.#options;
    const { adapters } = this;
    const runs = this.#options.runs ?? refuse(say('learning.noTraining'));
    const answers: CompletionRow[] = [];
    for (const { completion, response } of items) {
      answers.push(whole(await desk.answer({ answer: completion, seen: response })));
    }
    const adapter = await adapters.resolve(ref);
    const said = items.map(({ feedback: text }, at) => ({
      ...{ answer: answers[at]?.id, kind: 'say' as const, text, adapter },
      ...(key !== undefined && { key: `${key}/${at}` }),
    }));
    const training = wishedTraining(wanted) ?? null;
    const beyond = key === undefined ? {} : { beyond: `${key}/${items.length}` };
    const feedback = (await desk.giveAll(said, { training, ...beyond })).map(({ id }) => id);
    if (wait) return { feedback, outcome: await runs.learn(feedback, signal) };
    runs.added();
    return { feedback };
  }
}

/** With the tokens to learn from. @throws ANSWER_INCOMPLETE */
function whole(answer: CompletionRow): CompletionRow {
  if (answer.tokens.length > 0) return answer;
  throw new QuarryError({ code: 'ANSWER_INCOMPLETE', message: say('learning.answerWithoutTokens') });
}

function refuse(message: Words): never {
  throw new QuarryError({ code: 'NOT_RUNNING', message });
}
