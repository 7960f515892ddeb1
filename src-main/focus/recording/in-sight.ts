import type { CaptureSourceView, FocusState, Presence } from '../../../src-preload/contract/focus.ts';
import { excludedIn } from './excluded.ts';

const MINUTE_MS = 60_000;

export interface InSightNeeds {
  /** What can be recorded. @throws where no page asks for it here */
  sources(): Promise<CaptureSourceView[]>;
  /** Titles of the windows that are open; null where the system does not tell. */
  titles(): Promise<string[] | null>;
  /** What is being recorded. */
  live(): FocusState['live'];
  /** Milliseconds since somebody last used this computer; null where it does not tell. */
  idleMs(): Promise<number | null>;
  /** Words in titles of windows that are never recorded. Read anew. */
  excluded(): readonly string[];
  /** Read anew. */
  idleMinutes(): number;
}

/** What may be recorded, and what is in sight of what is. */
export class InSight {
  readonly #needs: InSightNeeds;

  constructor(needs: InSightNeeds) {
    this.#needs = needs;
  }

  /** Without the windows that are never recorded. */
  async sources(): Promise<{ sources: CaptureSourceView[]; hidden: number }> {
    const all = await this.#needs.sources();
    const sources = all.filter(({ kind, name }) => kind === 'screen' || this.excludes(name) === null);
    return { sources, hidden: all.length - sources.length };
  }

  /** By which word something must not be recorded; null where it may. */
  excludes(title: string): string | null {
    return excludedIn(title, this.#needs.excluded()) ?? null;
  }

  async presence(): Promise<Presence> {
    const { idleMs, idleMinutes, live } = this.#needs;
    const covered = live()?.recording.surface === 'screen' ? await this.#covered() : null;
    return { idleMs: await idleMs(), pauseAfterMs: idleMinutes() * MINUTE_MS, covered };
  }

  async #covered(): Promise<string | null> {
    for (const title of (await this.#needs.titles()) ?? []) {
      const by = this.excludes(title);
      if (by !== null) return by;
    }
    return null;
  }
}
