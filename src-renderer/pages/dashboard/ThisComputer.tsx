import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { Meter } from '../../components/Meter.tsx';
import { Facts } from '../../components/page/Inspector.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';
import classes from './dashboard.module.css';
import { useSummary } from './use-summary.ts';

type Health = NonNullable<NodeStatus['health']>;

/** Of 100: health is what is left, people know what is used. */
const USES = ['cpu', 'memory', 'queue'] as const;
/** From there on work is slowed or refused. */
const HIGH = 0.8;

/** How much of this computer is in use, and how it has served. */
export function ThisComputer() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const status = useNode((node) => node.status);
  const { data: summary } = useSummary();
  const speed = status?.speed;
  return (
    <Section title={t('computer.title')}>
      {!status && <Skeleton height={150} aria-hidden />}
      {status?.health && <Uses health={status.health} />}
      {status && (
        <>
          <Text size="sm" c="var(--q-ink-2)" my={12}>
            {status.health && t(`computer.means.${status.health.state}`)}
          </Text>
          <Facts
            facts={[
              [t('computer.served'), summary && format.number(summary.served)],
              [t('computer.firstToken'), speed && format.duration(speed.firstTokenMs)],
              [
                t('computer.queue'),
                t('computer.queued', {
                  active: format.number(status.queue.active),
                  waiting: format.number(status.queue.waiting),
                }),
              ],
            ]}
          />
        </>
      )}
    </Section>
  );
}

function Uses({ health }: { health: Health }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  return (
    <div className={classes.uses}>
      {USES.map((part) => {
        const used = 1 - health.parts[part] / 100;
        return (
          <div key={part} className={classes.use}>
            <span>{t(`computer.use.${part}`)}</span>
            <span className="num">{format.percent(used)}</span>
            <Meter parts={[{ share: used, colour: used >= HIGH ? 'var(--q-pause)' : 'var(--q-c1)' }]} />
          </div>
        );
      })}
    </div>
  );
}
