import { IconPlugConnectedX, IconQuestionMark } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { StateChip } from '../../../components/StateChip.tsx';
import { StandingChip } from '../../../components/status/StandingChip.tsx';

/** How mining stands there; of a node that is away, that nobody knows. */
export function NodeState({ node: { online, summary } }: { node: FleetNode }) {
  const { t } = useTranslation('network');
  if (!online || !summary) {
    return (
      <StateChip state="idle" icon={IconPlugConnectedX}>
        {t('mine.offline')}
      </StateChip>
    );
  }
  if (summary.standing !== 'other') return <StandingChip standing={summary.standing} />;
  return (
    <StateChip state="idle" icon={IconQuestionMark}>
      {t('mine.other')}
    </StateChip>
  );
}
