import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { raoOfTao } from '../../../../src-preload/contract/rao.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { errorView } from '../../../base/error-view.ts';
import { SharedWork } from '../../../base/shared-work.ts';
import { type CompetitionFacts, checkCompetition } from '../../../hardware/doctor/competition.ts';
import type { Figure } from '../../../server/figures.ts';
import { AxonNonceStore } from '../../../store/bittensor/axon-nonces.ts';
import type { CompetitionSettings } from '../../../subnets/quasar/competition/competition-settings.ts';
import { closedWords } from '../../../subnets/quasar/competition/rules/tracks.ts';
import type { Judge } from '../../../subnets/quasar/competition/rules/verdict.ts';
import type { Competition, CompetitionState } from '../../../subnets/quasar/competition/server/competition.ts';
import { subnetMembers } from '../../validator/subnet-members.ts';
import type { ChainPart } from '../bittensor/chain.ts';
import type { WalletPart } from '../bittensor/wallet.ts';
import type { Core } from '../core.ts';
import { need } from '../need.ts';
import type { HealthDetails, Report } from '../report.ts';
import { servedAsSet } from '../served-as-set.ts';
import type { ResultsPart } from '../validator/results.ts';
import { byTrack, type GpuJudge } from './gpu-judge.ts';
import type { KernelJudge } from './kernel-judge.ts';

const NOT_SERVED = { message: say('competition.notServed'), hint: say('competition.notServed.hint') };

/** A competition, where this node serves one. */
export interface CompetitionPart {
  /** The one that is open. @throws NOT_RUNNING */
  competition(): Competition;
  state(): Promise<CompetitionPartState>;
  health(): HealthDetails;
}

export interface CompetitionPartState {
  /** How it is doing; null where it is not open. */
  running: CompetitionState | null;
  /** Why it could not be opened. */
  error?: ReturnType<typeof errorView>;
}

export interface CompetitionNeeds {
  wallet: Pick<WalletPart, 'wallets'>;
  chain: Pick<ChainPart, 'head' | 'neurons'>;
  results: Pick<ResultsPart, 'opened'>;
  /** What judges kernels, and reads the one that the competition begins with. */
  kernels: { judge: Judge } & Pick<KernelJudge, 'baseline'>;
  gpu: Pick<GpuJudge, 'judge' | 'closed' | 'baseline'>;
  /** Whether the node stays: a single command serves nobody. */
  stays: boolean;
}

interface Running {
  competition: Competition;
  stop: () => Promise<void>;
}

/** Validators alone serve one. Where it cannot be opened, the node is there all the same, and says why. */
export async function openCompetition(core: Core, needs: CompetitionNeeds): Promise<CompetitionPart> {
  const { config, settings } = core;
  const followed = settings.follow('competition');
  const served = await servedAsSet<Running>(core, {
    setting: 'competition.enabled',
    serves: needs.stays && config.role === 'validator',
    open: () => serve(core, needs, followed.now),
    failure: 'the competition cannot be opened',
  });
  const state = async () => ({
    running: (await served.running?.competition.state()) ?? null,
    ...(served.failed && { error: errorView(served.failed) }),
  });
  return {
    competition: () => need(served.running, NOT_SERVED).competition,
    state,
    health() {
      if (served.failed) return { ok: false, competition: served.failed.message };
      return served.running ? { competition: 'open' } : {};
    },
  };
}

async function serve(core: Core, needs: CompetitionNeeds, now: CompetitionSettings): Promise<Running> {
  const { config, db, settings, changes, log } = core;
  const { kernels, gpu } = needs;
  const { netuid } = settings.follow('validator').now;
  const hotkey = await openHotkey(core, needs);
  try {
    const results = await needs.results.opened();
    const { Competition } = await import('../../../subnets/quasar/competition/server/competition.ts'); // most nodes have none
    const { host, port, tlsCert: cert, tlsKey: key, behindProxy, trusted, leastStake } = now;
    const competition = await Competition.open({
      ...{ server: hotkey, host, port, tls: cert && key ? { cert, key } : undefined, behindProxy, trusted, log },
      ...{ folder: dataPath(config.dataDir, 'competition'), terms: termsOf(now), leastStake: raoOfTao(leastStake) },
      ...{ store: results.competition(hotkey.address), marks: new AxonNonceStore(db) },
      ...{ judge: byTrack({ kernel: kernels.judge, gpu: gpu.judge }), onChange: () => changes.tell() },
      baselines: { kernel: await kernels.baseline(), gpu: gpu.baseline },
      closed: { gpu: await gpu.closed() },
      chain: netuid === undefined ? undefined : chainOf(needs, netuid),
    });
    const stop = async () => {
      await competition.close();
      await hotkey.close();
    };
    return { competition, stop };
  } catch (error) {
    await hotkey.close();
    throw error;
  }
}

function chainOf({ chain }: CompetitionNeeds, netuid: number) {
  return { head: () => chain.head(), metagraph: subnetMembers(() => chain.neurons(netuid)) };
}

function termsOf({ hours, blocksUntilReveal, unclaimed, perHotkey, perRound, ...more }: CompetitionSettings) {
  const { bytesPerHotkey, diskBudget: bytes } = more;
  return { hours, blocksUntilReveal, unclaimed, perHotkey, perRound, bytesPerHotkey, bytes };
}

/** It signs receipts and records without a person. @throws CONFIG_INVALID, BAD_REQUEST where it is not there or has a password */
async function openHotkey({ settings }: Core, { wallet: { wallets } }: CompetitionNeeds) {
  const { wallet, hotkey } = settings.follow('validator').now;
  if (wallet !== undefined) return (await wallets()).openHotkey({ wallet, hotkey }, null);
  const [message, hint] = [say('competition.noHotkey'), say('competition.noHotkey.hint')];
  throw new QuarryError({ code: 'CONFIG_INVALID', message, hint, field: 'validator.wallet' });
}

/** @param isSet whether a competition is to be served */
export function competitionReport(
  part: Pick<CompetitionPart, 'state' | 'health'>,
  { isSet }: { isSet: () => boolean },
): Report {
  // All figures of a look at the metrics are read at once: one look at the competition serves them.
  const looks = new SharedWork<CompetitionPartState>();
  const state = () => looks.take('state', () => part.state());
  const figure = (
    name: string,
    help: string,
    read: (running: CompetitionState) => number | Record<string, number>,
    more: Partial<Figure> = {},
  ) => ({
    ...{ name, help, ...more },
    read: async () => {
      const { running } = await state();
      return running ? read(running) : more.label ? {} : 0;
    },
  });
  return {
    health: () => part.health(),
    ...(isSet() && { checks: { competition: async () => checkCompetition(factsOf(await part.state())) } }),
    figures: [
      figure('quarry_competition_running', '1 while the competition is open.', () => 1),
      figure('quarry_competition_round', 'Number of the round that is open.', ({ open }) => open.round),
      figure(
        'quarry_competition_submissions',
        'Submissions of the round that is open, by state.',
        ({ open }) => open.submissions,
        { label: 'state' },
      ),
      figure('quarry_competition_judging', '1 while something is judged.', ({ judging }) => Number(judging !== null)),
      figure('quarry_competition_bytes', 'Bytes of the artefacts that are kept.', ({ bytes }) => bytes),
      figure('quarry_competition_banned', 'Addresses that are banned.', ({ banned }) => banned),
      figure('quarry_competition_appeals', 'Bans with an appeal.', ({ appeals }) => appeals),
      figure(
        'quarry_competition_answered_total',
        'Requests that the competition has answered since it was opened.',
        ({ answered }) => answered,
        { kind: 'total' },
      ),
      figure(
        'quarry_competition_refused_total',
        'Requests that the competition has refused since it was opened, by status.',
        ({ refused }) => Object.fromEntries([...refused].map(([status, count]) => [String(status), count])),
        { kind: 'total', label: 'status' },
      ),
    ],
  };
}

function factsOf({ running, error }: CompetitionPartState): CompetitionFacts {
  if (!running) return { error, served: null };
  const { url, appeals, open } = running;
  const closed = open.tracks.find(({ track }) => track === 'gpu')?.closed;
  const { round, submissions } = open;
  return { error, served: { url, round, submissions, appeals, closed: closed ? closedWords(closed) : null } };
}
