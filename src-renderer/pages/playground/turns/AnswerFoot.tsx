import { IconDeviceDesktop, IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { StateChip } from '../../../components/StateChip.tsx';
import { useTitles } from '../../../components/useTitles.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../playground.module.css';

type AnswerFigures = NonNullable<Turn['answer']>;

/** Below an answer: who gave it and with which version of what was learnt, how much it is and how long it took, and what it cost. */
export function AnswerFoot({ answer }: { answer: AnswerFigures }) {
  const { t } = useTranslation('playground');
  const titleOf = useTitles();
  const { target, worker, model, version, paid } = answer;
  const nobody = target === 'mesh' && worker === null;
  const figures = useFigures(answer);
  return (
    <>
      {target === 'mesh' ? (
        <StateChip state={nobody ? 'idle' : 'good'} icon={IconWorld}>
          {t('by.mesh')}
        </StateChip>
      ) : (
        <StateChip state="idle" icon={IconDeviceDesktop}>
          {t('by.local')}
        </StateChip>
      )}
      <span title={model ?? undefined}>
        {[nobody ? t('by.nobody') : model && titleOf(model), version, figures].filter(Boolean).join(' · ')}
      </span>
      {paid.length > 0 && <Cost paid={paid} />}
    </>
  );
}

/** How much came, in what time; or for how long nothing did. */
function useFigures({ tokens, totalMs }: AnswerFigures): string | undefined {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const time = totalMs === null ? undefined : format.duration(totalMs);
  if (tokens === 0) return time;
  const counted = { count: tokens, formatted: format.number(tokens) };
  return time ? t('tokensIn', { ...counted, time }) : t('tokens', counted);
}

function Cost({ paid }: Pick<AnswerFigures, 'paid'>) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const count = paid.reduce((sum, { credits }) => sum + credits, 0);
  const sources = new Set(paid.map(({ from }) => worded({ from, said: { from: { key: `paid.${from}` } } }, 'from')));
  return (
    <span>
      <b className={classes.paid}>{t('credits', { count, formatted: format.number(count) })}</b> {format.list(sources)}
    </span>
  );
}
