import { Popover, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { useFormat } from '../../i18n/format.ts';
import { modelTitle } from '../../i18n/model-title.ts';
import { worded } from '../../i18n/worded.ts';
import { type Limit, limitsOf } from '../../state/limits.ts';
import { useNode } from '../../state/node.ts';
import type { Standing } from '../../state/standing.ts';
import { stateColours } from '../state.ts';
import { Limits } from './Limits.tsx';
import { LOOKS } from './looks.ts';
import { MiningSwitch } from './MiningSwitch.tsx';
import classes from './status.module.css';
import { useStanding } from './useStanding.ts';

interface StatusPillProps {
  /** The reason only when it is pointed at or pressed, as on phones: there is little room beside it, at all or in a narrow window. */
  short?: boolean | 'narrow';
}

/** How mining stands, why, and the one button that starts and stops it. */
export function StatusPill({ short }: StatusPillProps) {
  const { t } = useTranslation();
  const standing = useStanding();
  const status = useNode((node) => node.status);
  const { state, icon: Icon, dot } = LOOKS[standing];
  const why = useReason(standing, status);
  const isValidator = standing === 'client' && status?.role === 'validator';
  const word = t(`status.word.${isValidator ? 'validator' : standing}`);
  return (
    <div className={classes.pill} style={stateColours(state)}>
      <VisuallyHidden role="status">{word}</VisuallyHidden>
      <Popover position="bottom-end" width={340} trapFocus>
        <Popover.Target>
          <UnstyledButton className={classes.told} title={why}>
            {Icon ? <Icon size={15} stroke={1.8} aria-hidden /> : <span className={classes.dot} data-dot={dot} />}
            <b>{word}</b>
            {why && short !== true && (
              <span className={classes.why} data-short={short || undefined}>
                {why}
              </span>
            )}
            <VisuallyHidden>{t('status.details')}</VisuallyHidden>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <Text size="sm" fw={600} mb={4}>
            {[word, why].filter(Boolean).join(': ')}
          </Text>
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
  const { mining, engine, health, speed, peers } = status;
  const model = mining?.model && modelTitle(mining.model).title;
  const reason = (kind: Limit['kind']) => limitsOf(status).find((limit) => limit.kind === kind);
  switch (standing) {
    case 'client':
      return t('peers', { count: peers });
    case 'starting':
      return [model, engine.progress !== undefined && format.percent(engine.progress)].filter(Boolean).join(' · ');
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
      return health?.refusal ? t(`status.refusal.${health.refusal}`) : worded(reason('refusing') ?? {}, 'detail');
    case 'failed':
      return worded(reason('startFailed') ?? reason('engineBroken') ?? {}, 'detail');
    default:
      return undefined;
  }
}
