import type { SampleView, WeighRequest, WeightsView } from '../../../src-preload/contract/validator.ts';
import type {
  ExportedResult,
  OpenedResult,
  OthersResults,
  ReplayView,
  ResultCounts,
  ResultsPage,
  ResultsRequest,
  VerifyEvent,
} from '../../../src-preload/contract/validator-results.ts';
import { MOST_COUNTED_DAYS } from '../../../src-preload/contract/validator-results.ts';
import type { ResultsDb } from '../../store/results/results-db.ts';
import type { ValidatorSettings } from '../../validation/validator-settings.ts';
import type { KnownEnvironments } from './known-environments.ts';
import { openedResult, pageView, replayed } from './replay-view.ts';
import type { SubnetLook } from './subnet-look.ts';
import { verified } from './verification.ts';
import { stats } from './weigh-view.ts';
import { signersOf, weightsOf } from './weights-in-force.ts';

export interface ResultDeskOptions {
  opened: () => Promise<ResultsDb>;
  known: KnownEnvironments;
  settings: () => ValidatorSettings;
  subnet: Pick<SubnetLook, 'lately'>;
  /** The id of this node. */
  own: string;
}

const DAY_MS = 86_400_000;

/** Results and what they come to, as whoever asks this node looks at them. `since` is in Unix milliseconds. */
export class ResultDesk {
  readonly #options: ResultDeskOptions;

  constructor(options: ResultDeskOptions) {
    this.#options = options;
  }

  async stats(since: number): Promise<SampleView[]> {
    return stats(await this.#options.opened(), since, this.#signers);
  }

  /** Of what is asked now, unless environments are named. @throws BAD_REQUEST with the field `preset` or `environments` */
  async weigh(request: WeighRequest): Promise<WeightsView> {
    return weightsOf({ ...this.#options, results: await this.#options.opened() }, request);
  }

  /** Results that do not count, because no validator has signed them that does. */
  async ofOthers(since: number): Promise<OthersResults> {
    return (await this.#options.opened()).list.ofOthers(since, this.#signers);
  }

  /** Newest first. */
  async page({ before, limit, ...choice }: ResultsRequest): Promise<ResultsPage> {
    const from = before && { createdAt: before.at, id: before.id };
    return pageView(await (await this.#options.opened()).list.page(choice, { before: from, limit }));
  }

  async counts(since: number): Promise<ResultCounts> {
    const now = Date.now();
    const { list } = await this.#options.opened();
    return list.counts(Math.max(since, now - MOST_COUNTED_DAYS * DAY_MS), now);
  }

  /** With its challenge and its answer. @throws BAD_REQUEST where there is no such result */
  async one(id: number): Promise<OpenedResult> {
    const { opened, known } = this.#options;
    return openedResult(await (await opened()).get(id), id, await known.look());
  }

  /** Judges the answer again. @throws BAD_REQUEST where there is no such result */
  async replay(id: number): Promise<ReplayView> {
    const { opened, known } = this.#options;
    return replayed(await (await opened()).get(id), id, await known.look());
  }

  /** Looks whether all results are as they were signed. */
  async *verify(signal?: AbortSignal): AsyncGenerator<VerifyEvent, void, undefined> {
    yield* verified(await this.#options.opened(), this.#options.own, signal);
  }

  async *export(): AsyncGenerator<ExportedResult, void, undefined> {
    yield* (await this.#options.opened()).export();
  }

  /** Whose results count. */
  get #signers(): string[] {
    return signersOf(this.#options.own, this.#options.settings());
  }
}
