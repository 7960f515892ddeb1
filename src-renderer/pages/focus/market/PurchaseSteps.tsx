import { List } from '@mantine/core';
import { IconCheck, IconCircle, IconLoader2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { PurchaseStep } from '../../../../src-preload/contract/trade.ts';
import { inkOf } from '../../../components/state.ts';

/** In the order in which a purchase goes through them. */
const WAY = ['locking', 'locked', 'paying', 'paid', 'bought', 'fetched'] as const satisfies readonly PurchaseStep[];
type WayStep = (typeof WAY)[number];

/** The way of a purchase, and how far on it this one is. */
export function PurchaseSteps({ state }: { state: PurchaseStep }) {
  const { t } = useTranslation('trade');
  const at = WAY.indexOf(state as WayStep);
  if (at < 0) return null; // it has left the way
  return (
    <List listStyleType="none" pl={0} size="sm" spacing={4} aria-label={t('way.title')}>
      {WAY.map((step, index) => {
        const isDone = state === 'fetched' || state === 'locked' ? index <= at : index < at;
        const how = isDone ? 'done' : index === at ? 'now' : 'later';
        return (
          <List.Item
            key={step}
            icon={<Mark how={how} />}
            c={how === 'later' ? 'var(--q-ink-3)' : undefined}
            aria-current={how === 'now' ? 'step' : undefined}
          >
            {t(`way.${step}`)}
          </List.Item>
        );
      })}
    </List>
  );
}

const MARKS = { done: IconCheck, now: IconLoader2, later: IconCircle };

function Mark({ how }: { how: 'done' | 'now' | 'later' }) {
  const { t } = useTranslation('trade');
  const Icon = MARKS[how];
  return (
    <Icon
      size={15}
      stroke={1.8}
      color={inkOf(how === 'done' ? 'good' : how === 'now' ? 'wait' : 'idle')}
      aria-label={t(`way.mark.${how}`)}
    />
  );
}
