import { Button, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { Meter } from '../../components/Meter.tsx';
import { Facts } from '../../components/page/Inspector.tsx';
import { Section } from '../../components/Section.tsx';
import { useStanding } from '../../components/status/useStanding.ts';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';
import classes from './dashboard.module.css';
import { useSummary } from './use-summary.ts';

type Health = NonNullable<NodeStatus['health']>;

const USES = ['cpu', 'gpu', 'memory', 'vram', 'queue'] as const;

/** How much of this computer is in use, and how it has served. */
export function ThisComputer() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const status = useNode((node) => node.status);
  const { data: summary } = useSummary();
  const speed = status?.speed;
  const refuses = useStanding() === 'refusing';
  const limit = refuses ? USES.find((name) => status?.health?.use[name]?.limits) : undefined;
  const details = (
    <Button component="a" href="#/computer" size="xs" variant="subtle" color="gray" mr={-10}>
      {t('computer.details')}
    </Button>
  );
  return (
    <Section title={t('computer.title')} aside={details}>
      {!status && <Skeleton height={150} aria-hidden />}
      {status?.health && <Uses health={status.health} limit={limit} />}
      {status && (
        <>
          <Text size="sm" c="var(--q-ink-2)" my={12}>
            {status.health && t(`computer.means.${meaning(status.health, refuses)}`)}{' '}
            {limit && t(`computer.limits.${limit}`)}
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

/** A node that takes requests whatever the computer does is very busy at worst. */
function meaning({ state }: Health, refuses: boolean): Exclude<Health['state'], 'overloaded'> | 'refusing' {
  if (refuses) return 'refusing';
  return state === 'overloaded' ? 'busy' : state;
}

/** What cannot be read has no row. */
function Uses({ health: { use }, limit }: { health: Health; limit: (typeof USES)[number] | undefined }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  return (
    <div className={classes.uses}>
      {USES.map((name) => {
        const percent = use[name]?.percent;
        if (percent === undefined) return null;
        return (
          <div key={name} className={classes.use}>
            <span>{t(`computer.use.${name}`)}</span>
            <span className="num">{format.percent(percent / 100)}</span>
            <Meter parts={[{ share: percent / 100, colour: name === limit ? 'var(--q-pause)' : 'var(--q-c1)' }]} />
          </div>
        );
      })}
    </div>
  );
}
