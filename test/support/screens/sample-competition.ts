import { errorView } from '../../../src-main/base/error-view.ts';
import type {
  CompetitionBoard,
  CompetitionRound,
  CompetitionState,
  OpenRound,
  OwnEntry,
} from '../../../src-preload/contract/competition.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { NOW } from './sample-data.ts';

const HOUR_MS = 3_600_000;
const SERVER = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const OWN = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const OTHERS = [
  '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy',
  '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw',
  '5CiPPseXPECbkjWCa6MnjNokrgYjMqmKndv2rSnekmSK2DjL',
];

/** What the screens are told of competitions. */
export interface ScriptedCompetition {
  state: CompetitionState;
  current: OpenRound;
  /** The newest first. */
  rounds: CompetitionRound[];
  board: CompetitionBoard;
  /** A submission is prepared once this is over. */
  preparing?: Promise<void>;
  /** `submit 3f82…`, `forget 3f82…` */
  done: string[];
}

const id = (digit: string) => digit.repeat(32);
const LEAGUES = [100_000, 200_000, 300_000, 500_000, 1_000_000];

function round(number: number, state: CompetitionRound['state'], submissions: CompetitionRound['submissions']) {
  const endsAt = NOW + (number - 3) * 48 * HOUR_MS + 5 * HOUR_MS;
  return {
    ...{ round: number, state, openedAt: endsAt - 48 * HOUR_MS, endsAt, endedAt: state === 'ended' ? endsAt : null },
    baselines: LEAGUES.map((league) => ({
      ...{ track: 'kernel', league, sha256: 'c'.repeat(64), submission: league === 300_000 ? id('9') : null },
    })),
    submissions,
  };
}

function entry(digit: string, name: string, state: OwnEntry['state'], more: Partial<OwnEntry> = {}): OwnEntry {
  return {
    ...{ id: id(digit), state, isOver: false, createdAt: NOW - Number.parseInt(digit, 16) * HOUR_MS, name },
    ...{ url: 'https://competition.example', server: SERVER, wallet: 'main', hotkeyName: 'default', hotkey: OWN },
    ...{ track: 'kernel', tokens: 300_000, bytes: 18_432, sha256: digit.repeat(64), commitment: 'd'.repeat(64) },
    ...{
      round: 3,
      countsIn: 3,
      reveal: null,
      receipt: { number: 41, block: 4_120_000, at: NOW, signature: 'e'.repeat(128) },
    },
    ...{ measured: null, reason: null, missing: [], place: null, share: 0, error: null, ...more },
  };
}

const sentence = (words: ReturnType<typeof say>) => told({ text: words });
const speed = (median: number, spread: number) => ({
  ...{ ratio: { median, low: median - spread, high: median + spread, pairs: 30 } },
  ...{ tokensPerSecond: median * 21_000, baselineTokensPerSecond: 21_000 },
});

export function sampleCompetition(): ScriptedCompetition {
  const open = round(3, 'open', { committed: 7, revealed: 4 });
  const second = { median: 1.71, low: 1.62, high: 1.8 };
  const faster = say('competitor.reason.faster', { times: second.median, low: second.low, high: second.high });
  const missed = new QuarryError({
    code: 'DEADLINE',
    message: say('competitor.unreachable', { host: 'competition.example' }),
    hint: say('competitor.later'),
  });
  return {
    state: {
      ...{ server: 'https://competition.example', wallet: 'main', hotkey: 'default', reveals: true, stays: true },
      entries: [
        entry('1', 'scan-v4.wasm', 'committed', {
          reveal: { block: 4_120_100, blocksLeft: 37, at: NOW + 37 * 12_000 },
          missing: [sentence(say('competitor.missing.reveal', { blocks: 37 }))],
        }),
        entry('2', 'scan-v3.wasm', 'sending', {
          ...{ receipt: null, countsIn: null, error: errorView(missed) },
          missing: [sentence(say('competitor.missing.commit'))],
        }),
        entry('3', 'scan-v2.wasm', 'revealed', { missing: [sentence(say('competitor.missing.judge'))] }),
        entry('5', 'blocked.wasm', 'right', {
          ...{
            round: 2,
            countsIn: 2,
            isOver: true,
            place: 2,
            share: 2_500,
            measured: speed(1.71, 0.09),
            reason: sentence(faster),
          },
        }),
        entry('6', 'wide.wasm', 'wrong', {
          ...{
            round: 2,
            countsIn: 2,
            isOver: true,
            reason: sentence(say('competitor.reason.wrong', { fault: 'numbers' })),
          },
        }),
        entry('7', 'borrowed.wasm', 'copied', {
          ...{ round: 2, countsIn: 2, isOver: true, reason: sentence(say('competitor.reason.copied')) },
        }),
        entry('8', 'late.wasm', 'missed', {
          ...{ round: 1, countsIn: 1, isOver: true, reason: sentence(say('competitor.reason.missed')) },
        }),
      ],
    },
    current: {
      ...{
        ...open,
        url: 'https://competition.example',
        server: SERVER,
        block: 4_120_063,
        clock: 'chain',
        blockMs: 12_000,
      },
      ...{ blocksUntilReveal: 100, lastBlockToCommit: 4_121_400, places: [60, 25, 10, 5] },
      tracks: [
        { track: 'kernel', closed: null },
        { track: 'gpu', closed: sentence(say('competition.closed.noEngine')) },
      ],
      leagues: LEAGUES.map((from) => ({ from, multiplier: from / 300_000 })),
    },
    rounds: [open, round(2, 'ended', { right: 5, wrong: 2, copied: 1 }), round(1, 'ended', { right: 2, missed: 1 })],
    board: {
      ...{ round: 2, state: 'ended', pot: 10_000, unclaimed: 0 },
      places: [
        [2.04, 0.06, 6_000],
        [1.71, 0.09, 2_500],
        [1.32, 0.11, 1_000],
        [1.08, 0.05, 500],
      ].map(([median = 1, spread = 0, share = 0], at) => ({
        ...{
          place: at + 1,
          submission: id(String(at + 4)),
          hotkey: at === 1 ? OWN : (OTHERS[at % 3] ?? ''),
          isOwn: at === 1,
        },
        ...{
          track: 'kernel',
          league: 300_000,
          tokens: 300_000,
          weighted: median,
          tokensPerSecond: median * 21_000,
          share,
        },
        ratio: speed(median, spread).ratio,
      })),
    },
    done: [],
  };
}
