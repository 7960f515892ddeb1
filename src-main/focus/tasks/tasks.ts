import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { BeginRecording } from '../../../src-preload/contract/focus.ts';
import type { ListedKind, TaskChoice, TaskKind } from '../../../src-preload/contract/focus-task-kinds.ts';
import type { FocusTask, FocusTasks } from '../../../src-preload/contract/focus-tasks.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { errorView } from '../../base/error-view.ts';
import { foreignLine, withoutControls } from '../../base/foreign-text.ts';
import type { NewRecording } from '../../store/focus/focus-recordings.ts';
import type { FocusTaskStore } from '../../store/focus/focus-tasks.ts';
import type { BoostedTasks } from './boosted-tasks.ts';
import { type Suggestion, suggested } from './suggestions.ts';

/** A task that somebody at a market asks for. */
export interface PlatformTask {
  id: string;
  title: string;
  description: string;
}

export interface TasksOptions {
  store: FocusTaskStore;
  /** The list that comes with Quarry: read when it is first asked for. */
  suggestions: () => Promise<readonly Suggestion[]>;
  boosted: Pick<BoostedTasks, 'tasks' | 'state'>;
  /** What a market asks for. Default: there is no market. */
  platform?: () => Promise<readonly PlatformTask[]>;
}

/** Of one’s own tasks so many are remembered: who wants an older one types it. */
const MOST_OWN = 100;

/** What could be recorded, and what is. */
export class Tasks {
  readonly #options: TasksOptions;
  #suggestions: Promise<readonly Suggestion[]> | undefined;

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  /** @param language of the suggestions; the others are in the words of whoever wrote them */
  async list({ language, kind }: { language: 'en' | 'de'; kind?: TaskKind | undefined }): Promise<FocusTasks> {
    const { boosted } = this.#options;
    const count = await this.#counts();
    // A market that does not answer takes away no other task.
    const wanted = await this.#platform(count).catch(QuarryError.from);
    const { tasks, leftOut } = suggested(await this.#suggested(), (id) => count('suggested', id));
    const all: FocusTask[] = [
      ...(await this.#boosted(count)),
      ...(wanted instanceof QuarryError ? [] : wanted),
      ...(await this.#own()),
      ...tasks.map(({ id, field, [language]: words }) => {
        return { ...PLAIN, ...words, kind: 'suggested' as const, id, field, recorded: count('suggested', id) };
      }),
    ];
    return {
      tasks: all.filter((task) => !kind || task.kind === kind),
      leftOut,
      boosted: await boosted.state(),
      ...(wanted instanceof QuarryError && { marketError: errorView(wanted) }),
    };
  }

  /**
   * A recording that is about to begin, with its task. What is boosted is as its list has it: words and multiplier (OMEGA, B11).
   * @throws BAD_REQUEST for a task that is in no list (any more)
   */
  async beginning({ task: choice, ...about }: BeginRecording): Promise<NewRecording> {
    if (!choice) return about;
    const { words, multiplier } = await this.#found(choice);
    return { ...about, ...words, task: { ...choice, multiplier } };
  }

  async #found({ kind, id }: TaskChoice): Promise<{ words?: Words; multiplier: number }> {
    const { boosted } = this.#options;
    // Suggestions are there to be made one’s own.
    if (kind === 'suggested' && (await this.#suggested()).some((one) => one.id === id)) return { multiplier: 1 };
    const listed: readonly (Words & { id: string | null; multiplier: number })[] =
      kind === 'boosted' ? await boosted.tasks() : kind === 'platform' ? await this.#platform(() => 0) : [];
    const found = listed.find((one) => one.id === id);
    if (!found) throw unknownTask();
    const { title, description } = found;
    return { words: { title, description }, multiplier: found.multiplier };
  }

  #suggested(): Promise<readonly Suggestion[]> {
    this.#suggestions ??= this.#options.suggestions();
    return this.#suggestions;
  }

  async #counts(): Promise<(kind: ListedKind, id: string) => number> {
    const counts = await this.#options.store.counts();
    return (kind, id) => counts.find((one) => one.kind === kind && one.id === id)?.count ?? 0;
  }

  async #own(): Promise<FocusTask[]> {
    const own = await this.#options.store.own(MOST_OWN);
    return own.map(({ title, description, count }) => {
      return { ...PLAIN, kind: 'own' as const, id: null, title, description, recorded: count };
    });
  }

  async #boosted(count: Counter): Promise<FocusTask[]> {
    const tasks = await this.#options.boosted.tasks();
    return tasks.map((task) => ({ ...PLAIN, ...task, kind: 'boosted', recorded: count('boosted', task.id) }));
  }

  async #platform(count: Counter): Promise<FocusTask[]> {
    const tasks = (await this.#options.platform?.()) ?? [];
    return tasks.map(({ id, title, description }) => {
      const words = { title: foreignLine(title), description: withoutControls(description) };
      return { ...PLAIN, ...words, id, kind: 'platform', recorded: count('platform', id) };
    });
  }
}

type Words = { title: string; description: string };
type Counter = (kind: ListedKind, id: string) => number;

const PLAIN = { reason: '', field: null, multiplier: 1, validUntil: null };

const unknownTask = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: say('focusTasks.unknown'),
    hint: say('focusTasks.unknown.hint'),
    field: 'task',
  });
