import type {
  CompetitionBoard,
  CompetitionPlace,
  CompetitionRound,
} from '../../../src-preload/contract/competition.ts';
import { WHOLE_POT } from '../../../src-preload/contract/competition-numbers.ts';
import { percent, table } from '../terminal/output.ts';

/** Places of a round, a row each. */
export function boardText({ places, state, pot, unclaimed }: CompetitionBoard): string {
  if (state !== 'ended') return 'The places are known when it has ended.';
  if (places.length === 0) return 'Nobody was faster than the baseline: nothing is won.';
  return [
    table(['PLACE', 'SUBMISSION', 'HOTKEY', 'LEAGUE', 'SPEED', '95 %', 'COUNTS', 'SHARE'], places.map(row)),
    ...(unclaimed > 0 ? [`Nobody has won ${percent(unclaimed / pot)} of the pot.`] : []),
    'Places go by what counts: the speed times the factor of the league. Four hotkeys of a track get a share, each for its best place.',
  ].join('\n');
}

/** Submissions of a round by their states: «2 revealed, 1 wrong». */
export function countsText(submissions: CompetitionRound['submissions']): string {
  const some = Object.entries(submissions).filter(([, count]) => count > 0);
  return some.map(([state, count]) => `${count} ${state}`).join(', ') || 'none';
}

function row(one: CompetitionPlace): (string | number)[] {
  const { median, low, high } = one.ratio;
  return [
    ...[one.place, `${one.submission.slice(0, 8)}${one.isOwn ? ' (own)' : ''}`, one.hotkey],
    ...[
      `${one.track === 'gpu' ? 'gpu ' : ''}${one.league.toLocaleString('en')}`,
      `×${median.toFixed(3)}`,
      `${low.toFixed(3)}–${high.toFixed(3)}`,
    ],
    ...[
      `${one.weighted.toFixed(3)} (×${(one.weighted / median).toFixed(2)})`,
      one.share > 0 ? percent(one.share / WHOLE_POT) : '–',
    ],
  ];
}
