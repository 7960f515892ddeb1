import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconClockPause,
  IconPlugConnectedX,
  IconRefresh,
  type TablerIcon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ChainStateView } from '../../../src-preload/contract/chain.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { Note } from '../Note.tsx';
import { StateChip } from '../StateChip.tsx';
import type { State } from '../state.ts';
import classes from './chain.module.css';
import type { Chain } from './use-chain.ts';

const LOOKS: Record<ChainStateView['status'], { look: State; icon: TablerIcon }> = {
  idle: { look: 'idle', icon: IconRefresh },
  connecting: { look: 'idle', icon: IconRefresh },
  connected: { look: 'good', icon: IconCheck },
  behind: { look: 'pause', icon: IconClockPause },
  lost: { look: 'error', icon: IconPlugConnectedX },
  closed: { look: 'idle', icon: IconPlugConnectedX },
};

/** How the connection to the chain stands, in one line: its state and its newest block. */
export function ChainChips({ state }: Pick<Chain, 'state'>) {
  const { t } = useTranslation('chain');
  const format = useFormat();
  if (!state) return null;
  const { look, icon } = LOOKS[state.status];
  return (
    <span className={classes.state}>
      <span role="status">
        <StateChip state={look} icon={icon}>
          {t(`status.${state.status}`)}
        </StateChip>
      </span>
      {state.block !== undefined && <span className="num">{t('block', { number: format.number(state.block) })}</span>}
    </span>
  );
}

/** Why the chain does not answer, or only with old news, and what comes next. Nothing while all is well. */
export function ChainNote({ chain: { state, seenAt, error, again } }: { chain: Chain }) {
  const { t } = useTranslation('chain');
  const format = useFormat();
  if (error && !state) return <ErrorNote error={error} onRetry={again} />;
  if (state?.status !== 'lost' && state?.status !== 'behind') return null;
  const isLost = state.status === 'lost';
  const sentences = [
    state.endpoint,
    isLost && state.retryAt !== undefined && t('nextTry', { time: format.clock(state.retryAt) }),
    seenAt !== undefined && t('shownFrom', { time: format.clock(seenAt) }),
  ];
  return (
    <Note
      state={isLost ? 'error' : 'pause'}
      icon={isLost ? IconPlugConnectedX : IconAlertTriangle}
      title={worded(state, 'reason') ?? t(isLost ? 'lost' : 'behind')}
      role="status"
      actions={
        <Button size="xs" variant="default" onClick={again}>
          {t('tryNow')}
        </Button>
      }
    >
      {sentences.filter(Boolean).join(' · ')}
    </Note>
  );
}
