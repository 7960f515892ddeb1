import { IconCircle, IconCircleFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Standing } from '../../state/standing.ts';
import { StateChip } from '../StateChip.tsx';
import { LOOKS } from './looks.ts';

/** How mining stands at a node: shape, colour and word, as on the pill. */
export function StandingChip({ standing }: { standing: Standing }) {
  const { t } = useTranslation();
  const { state, icon, dot } = LOOKS[standing];
  return (
    <StateChip state={state} icon={icon ?? (dot === 'ring' ? IconCircle : IconCircleFilled)}>
      {t(`status.word.${standing}`)}
    </StateChip>
  );
}
