import { say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from '../../hardware/doctor/check.ts';
import type { Figure } from '../../server/figures.ts';
import type { ClipSubmissionStore } from '../../store/clips/clip-submissions.ts';
import { blockedSources, CHECKS_LOOKED_AT } from '../../subnets/omega/clips/checking/reach.ts';

type Looks = Pick<ClipSubmissionStore, 'lastChecks'>;

/** How looking at clips goes: where this node cannot fetch them, nobody is punished, and somebody has to look after it. */
export function clipLooks(submissions: Looks) {
  return { figures: [lastLooks(submissions)], checks: { clipLooks: () => checkLooks(submissions) } };
}

const lastLooks = (submissions: Looks): Figure => ({
  name: 'quarry_clip_looks',
  help: 'Of the last looks at clips that miners handed in, 50 at the most, how many came to what.',
  labels: ['outcome'],
  read: async () => {
    const looks = await submissions.lastChecks(CHECKS_LOOKED_AT);
    const count = (outcome: string) => looks.filter(({ deep_check }) => deep_check === outcome).length;
    return ['right', 'lie', 'differs', 'notFetched'].map((outcome) => ({ labels: { outcome }, value: count(outcome) }));
  },
});

async function checkLooks(submissions: Looks): Promise<CheckResult> {
  const looks = await submissions.lastChecks(CHECKS_LOOKED_AT);
  const [all, unfetched] = [looks.length, looks.filter(({ deep_check }) => deep_check === 'notFetched').length];
  const [blocked] = blockedSources(looks);
  const found = all === 0 ? say('clipValidation.looks.none') : say('clipValidation.looks', { all, unfetched });
  if (!blocked) return { name: 'clips of miners', status: 'ok', ...told({ found }) };
  const texts = {
    found: say('clipValidation.looks.source', { ...blocked }),
    advice: say('clipValidation.looks.advice'),
  };
  return { name: 'clips of miners', status: 'warn', ...told(texts) };
}
