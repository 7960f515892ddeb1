import type {
  CompetitionBoard,
  CompetitionRound,
  CompetitionState,
  EntryDraft,
  OpenRound,
  OwnEntry,
  VerificationStep,
} from '../../../../src-preload/contract/competition.ts';
import { MOST_ENTRIES_SHOWN } from '../../../../src-preload/contract/competition-numbers.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { watched } from '../../../base/watched.ts';
import { CompetitionEntryStore } from '../../../store/competition-entries.ts';
import { Artefacts, type Piece } from '../../../subnets/quasar/competition/client/artefacts.ts';
import { refused } from '../../../subnets/quasar/competition/client/competition-problems.ts';
import { Entries, type EntriesOptions, type EntryWish } from '../../../subnets/quasar/competition/client/entries.ts';
import { EntryWatch } from '../../../subnets/quasar/competition/client/entry-watch.ts';
import { type NamedHotkey, Servers } from '../../../subnets/quasar/competition/client/servers.ts';
import { verified } from '../../../subnets/quasar/competition/client/verification.ts';
import { unattendedHotkey } from '../bittensor/unattended-hotkey.ts';
import type { WalletPart } from '../bittensor/wallet.ts';
import type { Core } from '../core.ts';
import { byTrack, type GpuJudge } from './gpu-judge.ts';
import type { KernelJudge } from './kernel-judge.ts';
import { trackView } from './track-view.ts';

/** A server that is asked; without an address the one that is set. */
interface Asked {
  server?: string | undefined;
}

/** Taking part in competitions, and looking at them. */
export interface CompetitorPart {
  state(): Promise<CompetitionState>;
  look(signal?: AbortSignal): Promise<CompetitionState>;
  watch(signal?: AbortSignal): AsyncGenerator<CompetitionState, void, undefined>;
  current(asked: Asked, signal?: AbortSignal): Promise<OpenRound>;
  rounds(
    asked: Asked & { before?: number | undefined },
    signal?: AbortSignal,
  ): Promise<{ rounds: CompetitionRound[]; more: boolean }>;
  leaderboard(asked: Asked & { round?: number | undefined }, signal?: AbortSignal): Promise<CompetitionBoard>;
  verify(
    asked: Asked & NamedHotkey & { round: number; judge: boolean },
    signal?: AbortSignal,
  ): AsyncGenerator<VerificationStep, void, undefined>;
  artefact(asked: Asked & NamedHotkey & { sha256: string }, signal?: AbortSignal): Promise<Buffer>;
  bring(piece: Piece): Promise<number>;
  prepare(wish: EntryWish, signal?: AbortSignal): Promise<EntryDraft>;
  submit(id: string, signal?: AbortSignal): Promise<OwnEntry>;
  reveal(id: string, signal?: AbortSignal): Promise<OwnEntry>;
  forget(id: string): Promise<void>;
}

export interface CompetitorNeeds {
  wallet: Pick<WalletPart, 'wallets'>;
  /** By what kernels are looked at before they are submitted, and judged again. */
  kernels: Pick<KernelJudge, 'judge' | 'check'>;
  gpu: Pick<GpuJudge, 'judge' | 'check'>;
  /** Whether the node does: what a single command began, the next node goes on with. */
  stays: boolean;
}

export async function openCompetitor(
  core: Core,
  { wallet, kernels, gpu, stays }: CompetitorNeeds,
): Promise<CompetitorPart> {
  const { config, settings, db, changes, log, until, onClose } = core;
  const judge = byTrack({ kernel: kernels.judge, gpu: gpu.judge });
  const check: EntriesOptions['check'] = async (artefact, track, signal) =>
    track === 'gpu' ? gpu.check(artefact) : kernels.check(artefact, signal);
  const followed = settings.follow('competitor');
  const store = new CompetitionEntryStore(db);
  const artefacts = new Artefacts(dataPath(config.dataDir, 'submissions'));
  const servers = new Servers({
    choice: () => followed.now,
    openHotkey: async (names) => unattendedHotkey(await wallet.wallets(), names, 'competitor.hotkey'),
  });
  onClose(() => servers.close());
  const entries = new Entries({
    ...{ store, artefacts, servers, check, changes },
    reveals: () => followed.now.reveals,
  });
  const watch = new EntryWatch({ store, entries, log });
  onClose(() => watch.close());
  if (stays) {
    await artefacts.tidy(await store.artefacts());
    watch.open();
  }
  const state = async (): Promise<CompetitionState> => ({
    server: followed.now.server ?? null,
    wallet: followed.now.wallet ?? null,
    hotkey: followed.now.hotkey,
    reveals: followed.now.reveals,
    stays,
    entries: await entries.list(),
  });
  const woken = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      watch.wake();
    }
  };
  return {
    state,
    async look(signal) {
      await entries.lookAtAll(until(signal));
      return await state();
    },
    watch: (signal) => watched(state, changes, until(signal)),
    async current({ server: asked }, signal) {
      const client = servers.client(asked);
      const current = await client.current(until(signal));
      const server = servers.expected(client, current.server);
      return { ...current, server, url: client.url, tracks: current.tracks.map(trackView) };
    },
    rounds: ({ server, before }, signal) => servers.client(server).rounds(before, until(signal)),
    async leaderboard({ server, round }, signal) {
      const client = servers.client(server);
      const board = await client.leaderboard(round ?? (await lastEnded(client, until(signal))), until(signal));
      const own = new Set((await store.newest(MOST_ENTRIES_SHOWN)).map(({ id }) => id));
      return { ...board, places: board.places.map((place) => ({ ...place, isOwn: own.has(place.submission) })) };
    },
    async *verify({ server, round, judge: isJudged, ...names }, signal) {
      const client = servers.client(server);
      const as = await servers.meet(client, servers.names(names), until(signal));
      const own = await store.newest(MOST_ENTRIES_SHOWN);
      yield* verified({ client, as, round, own, judge: isJudged ? judge : undefined }, until(signal));
    },
    async artefact({ server, sha256, ...names }, signal) {
      const client = servers.client(server);
      return client.artefact(await servers.meet(client, servers.names(names), until(signal)), sha256, until(signal));
    },
    bring: (piece) => artefacts.bring(piece),
    prepare: (wish, signal) => entries.prepare(wish, until(signal)),
    submit: (id, signal) => woken(entries.submit(id, until(signal))),
    reveal: (id, signal) => woken(entries.reveal(id, until(signal))),
    forget: (id) => entries.forget(id),
  };
}

/** @throws BAD_REQUEST where none has ended yet */
async function lastEnded(client: ReturnType<Servers['client']>, signal: AbortSignal): Promise<number> {
  const { rounds } = await client.rounds(undefined, signal);
  const ended = rounds.find(({ state }) => state === 'ended');
  if (ended) return ended.round;
  throw refused(say('competitor.noRound'), 'round');
}
