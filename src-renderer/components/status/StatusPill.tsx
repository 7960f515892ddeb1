import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import {
  IconAlertTriangle,
  IconFlame,
  IconHourglass,
  IconPlayerPauseFilled,
  IconRefresh,
  type TablerIcon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { useFormat } from '../../i18n/format.ts';
import { modelTitle } from '../../i18n/model-title.ts';
import { worded } from '../../i18n/worded.ts';
import { type Limit, limitsOf } from '../../state/limits.ts';
import { useNode } from '../../state/node.ts';
import type { Standing } from '../../state/standing.ts';
import { type State, stateColours } from '../state.ts';
import { Limits } from './Limits.tsx';
import { MiningSwitch } from './MiningSwitch.tsx';
import classes from './status.module.css';
import { useStanding } from './useStanding.ts';

/** Shape and colour of each standing; without an icon it is a dot. */
const LOOKS: Record<Standing, { state: State; icon?: TablerIcon; dot?: 'live' | 'ring' }> = {
  connecting: { state: 'idle', icon: IconRefresh },
  client: { state: 'idle' },
  stopped: { state: 'idle' },
  starting: { state: 'wait', icon: IconHourglass },
  stopping: { state: 'wait', icon: IconHourglass },
  failed: { state: 'error', icon: IconAlertTriangle },
  paused: { state: 'pause', icon: IconPlayerPauseFilled },
  refusing: { state: 'pause', icon: IconPlayerPauseFilled },
  slowed: { state: 'pause', icon: IconFlame },
  alone: { state: 'wait', dot: 'ring' },
  ready: { state: 'wait', dot: 'ring' },
  mining: { state: 'good', dot: 'live' },
};

interface StatusPillProps {
  /** Without the reason: there is little room beside it. */
  short?: boolean;
}

/** How mining stands, why, and the one button that starts and stops it. */
export function StatusPill({ short }: StatusPillProps) {
  const { t } = useTranslation();
  const standing = useStanding();
  const status = useNode((node) => node.status);
  const { state, icon: Icon, dot } = LOOKS[standing];
  const why = useReason(standing, status);
  const word = t(`status.word.${standing}`);
  return (
    <div className={classes.pill} style={stateColours(state)}>
      <VisuallyHidden role="status">{word}</VisuallyHidden>
      <Popover position="bottom-end" width={340} trapFocus>
        <Popover.Target>
          <UnstyledButton className={classes.told}>
            {Icon ? <Icon size={15} stroke={1.8} aria-hidden /> : <span className={classes.dot} data-dot={dot} />}
            <b>{word}</b>
            {why && !short && <span className={classes.why}>{why}</span>}
            <VisuallyHidden>{t('status.details')}</VisuallyHidden>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <Limits standing={standing} />
        </Popover.Dropdown>
      </Popover>
      <MiningSwitch standing={standing} />
    </div>
  );
}

/** A few words beside the state: what it serves, or what holds it back. */
function useReason(standing: Standing, status: NodeStatus | undefined): string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  if (!status) return undefined;
  const { mining, speed, peers } = status;
  const model = mining?.model && modelTitle(mining.model).title;
  const reason = (kind: Limit['kind']) => limitsOf(status).find((limit) => limit.kind === kind);
  switch (standing) {
    case 'client':
      return t('peers', { count: peers });
    case 'starting':
      return model;
    case 'mining':
      return [model, speed && t('status.speed', { speed: format.number(speed.tokensPerSecond) })]
        .filter(Boolean)
        .join(' · ');
    case 'ready':
    case 'alone':
      return t(`status.why.${standing}`);
    case 'paused':
    case 'slowed':
      return t(`status.rule.${reason(standing)?.rule}`, { defaultValue: '' });
    case 'refusing':
      return worded(reason('refusing') ?? {}, 'detail');
    case 'failed':
      return worded(reason('startFailed') ?? reason('engineBroken') ?? {}, 'detail');
    default:
      return undefined;
  }
}
