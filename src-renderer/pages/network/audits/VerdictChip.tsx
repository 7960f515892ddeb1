import { useTranslation } from 'react-i18next';
import { StateChip } from '../../../components/StateChip.tsx';
import { VERDICT_LOOKS, type Verdict } from './verdict.ts';

/** What is to be said of a worker: by colour, icon and word. */
export function VerdictChip({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation('audits');
  const { state, icon } = VERDICT_LOOKS[verdict];
  return (
    <StateChip state={state} icon={icon}>
      {t(`verdict.${verdict}`)}
    </StateChip>
  );
}
