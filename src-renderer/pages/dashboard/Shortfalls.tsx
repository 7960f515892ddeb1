import { Button, Skeleton, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBattery1,
  IconCpu,
  IconDeviceGamepad2,
  IconFlame,
  IconHourglass,
  IconMoon,
  IconPlayerStopFilled,
  IconPower,
  IconRepeat,
  IconSignature,
  IconTopologyStar3,
  IconUser,
  IconUsers,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { PolicyRule } from '../../../src-preload/contract/activity.ts';
import type { EarningToday, Shortfall, ShortfallKind } from '../../../src-preload/contract/earning.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Meter } from '../../components/Meter.tsx';
import { Section } from '../../components/Section.tsx';
import { stateColours } from '../../components/state.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import classes from './dashboard.module.css';
import { useToday } from './use-today.ts';

const ICONS: Record<ShortfallKind, TablerIcon> = {
  slow: IconHourglass,
  paused: IconUser,
  throttled: IconUser,
  stopped: IconPlayerStopFilled,
  failed: IconAlertTriangle,
  refusing: IconCpu,
  alone: IconTopologyStar3,
  off: IconPower,
  penalties: IconX,
  busy: IconUsers,
  'pair-cap': IconRepeat,
  unsigned: IconSignature,
};
const RULE_ICONS: Record<PolicyRule, TablerIcon> = {
  battery: IconBattery1,
  user: IconUser,
  gpu: IconDeviceGamepad2,
  heat: IconFlame,
  'quiet-hours': IconMoon,
};

/** Why this node earns less than it could, in points, with what to do about each reason. The formula: docs/credits.md. */
export function Shortfalls() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { data, error, refetch } = useToday();
  const possible = data && possiblePoints(data);
  return (
    <Section
      title={t('why.title')}
      aside={
        data &&
        possible !== undefined &&
        possible > data.earned && (
          <Text size="sm" c="dimmed" className="num">
            {t('why.total', { earned: format.number(data.earned), possible: format.number(possible) })}
          </Text>
        )
      }
    >
      {!data && <ErrorNote error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={150} aria-hidden />}
      {data?.reasons.length === 0 && (
        <EmptyState title={t(data.asked > 0 ? 'why.nothing' : 'why.nobody')}>{t('why.nothingMore')}</EmptyState>
      )}
      {data && data.reasons.length > 0 && (
        <>
          <Shares today={data} />
          <ul className={classes.reasons}>
            {data.reasons.map((reason) => (
              <Reason key={reason.kind + reason.rule} reason={reason} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** Gold is earned, hatched is on its way, the rest was missed. */
function Shares({ today }: { today: EarningToday }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const possible = possiblePoints(today);
  if (possible <= 0) return null;
  const { earned, waiting } = today;
  const missed = possible - earned - waiting.points;
  return (
    <Meter
      height={8}
      label={t('why.meter', {
        earned: format.number(earned),
        waiting: format.number(waiting.points),
        missed: format.number(missed),
      })}
      parts={[
        { share: earned / possible, colour: 'var(--q-ore-fill)' },
        { share: waiting.points / possible, colour: 'var(--q-wait)', hatched: true },
      ]}
    />
  );
}

function Reason({ reason }: { reason: Shortfall }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { kind, rule, points, ownChoice, fix } = reason;
  const Icon = rule ? RULE_ICONS[rule] : ICONS[kind];
  const waits = kind === 'unsigned';
  const rounded = points === undefined || ownChoice ? 0 : Math.round(points);
  return (
    <li style={stateColours(ownChoice ? 'idle' : waits ? 'wait' : 'pause')}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <div>
        <b>{worded(reason, 'text')}</b>
        <span>{worded(reason, 'why')}</span>
      </div>
      {rounded > 0 && (
        <span className={classes.points}>
          {waits
            ? t('why.waiting', { points: format.signed(rounded) })
            : t('why.missed', { count: rounded, points: format.signed(-rounded) })}
        </span>
      )}
      {fix && (
        <Button component="a" href={`#${fix.path}`} size="xs" variant="default">
          {t(`why.fix.${kind}`)}
        </Button>
      )}
    </li>
  );
}

/** What this day could have brought: earned, waiting, and missed. Nobody misses what he chose to leave. */
function possiblePoints({ earned, waiting, reasons }: EarningToday): number {
  const missed = reasons
    .filter(({ kind, ownChoice }) => kind !== 'unsigned' && !ownChoice)
    .reduce((sum, { points = 0 }) => sum + points, 0);
  return Math.round(earned + waiting.points + missed);
}
