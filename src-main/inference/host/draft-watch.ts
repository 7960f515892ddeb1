import type { DraftCost, DraftRates } from '../../../src-preload/contract/drafting.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Drafting, DraftModel, MissingDraft } from '../backend.ts';
import type { HostMessage, LoadedInfo, LoadOptions } from '../engine-protocol.ts';

/** Guesses after which their share says something. */
const TELLING = 10;

/** What the host knows of the engine's draft model, over the lives of its children. */
export class DraftWatch {
  readonly #name: string | undefined;
  readonly #model: DraftModel | undefined;
  readonly #listeners = new Set<(rates: DraftRates) => void>();
  /** A child died with it: the next one is started without. */
  #died = false;
  #error: QuarryError | undefined;
  #costs: readonly DraftCost[] = [];
  #rates: DraftRates | undefined;
  #gain: number | undefined;

  constructor(model: DraftModel | MissingDraft | undefined) {
    this.#name = model?.name;
    if (model && 'error' in model) this.#error = model.error;
    else this.#model = model;
  }

  /** Where it can guess. */
  get model(): DraftModel | undefined {
    return this.#error ? undefined : this.#model;
  }

  /** For {@link ModelInfo}. */
  get drafting(): Drafting | undefined {
    if (this.#name === undefined) return undefined;
    const { accepted = 0, rejected = 0 } = this.#rates ?? {};
    const known = !this.#error && accepted + rejected >= TELLING;
    return {
      name: this.#name,
      ...(this.#error && { error: this.#error }),
      ...(known && { right: accepted / (accepted + rejected) }),
      ...(known && this.#gain !== undefined && { gain: this.#gain }),
    };
  }

  /** How a new child is to load the model. */
  options(wanted: LoadOptions): LoadOptions {
    const { draft: _, ...without } = wanted;
    return this.#died ? without : wanted;
  }

  onLoaded({ draft }: LoadedInfo): void {
    if (this.#model && !this.#died) this.#error = draft?.error && new QuarryError(draft.error);
  }

  onFailed(error: QuarryError): void {
    this.#error = error;
  }

  /** The child may have died of it. */
  onLost({ code }: QuarryError): void {
    if (!this.model || code !== 'ENGINE_CRASHED') return;
    this.#died = true;
    this.#error = new QuarryError({ code: 'ENGINE_CRASHED', message: say('engine.draftDied') });
  }

  onDrafted(rates: DraftRates, gain: number): void {
    this.#rates = rates;
    this.#gain = gain;
    for (const listener of this.#listeners) listener(rates);
  }

  listen(listener: (rates: DraftRates) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @returns what the child is to be told */
  use(costs: readonly DraftCost[], rates: DraftRates | undefined): Extract<HostMessage, { type: 'use-draft-costs' }> {
    this.#costs = costs;
    this.#rates = rates ?? this.#rates;
    return { type: 'use-draft-costs', costs: [...costs], ...(this.#rates && { rates: this.#rates }) };
  }

  /** What a child is to be told that has just loaded the model; undefined where nothing was measured. */
  get known() {
    return this.#costs.length > 0 ? this.use(this.#costs, this.#rates) : undefined;
  }
}
