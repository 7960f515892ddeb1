import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { type Limit, limitsOf } from './limits.ts';

/** Where to do something about a limit, and the name of that text. */
const PAGES: Partial<Record<Limit['kind'], { path: string; name: 'models' | 'settings' | 'network' }>> = {
  role: { path: 'settings/general', name: 'settings' },
  startFailed: { path: 'models', name: 'models' },
  engineBroken: { path: 'models', name: 'models' },
  paused: { path: 'settings/policy', name: 'settings' },
  slowed: { path: 'settings/policy', name: 'settings' },
  noPeers: { path: 'network', name: 'network' },
};
/** Not a trouble: somebody wanted it so. */
const CHOSEN = new Set<Limit['kind']>(['role', 'stopped', 'starting', 'stopping']);
const RULES = ['battery', 'user', 'gpu', 'heat', 'quiet-hours'] as const;

/** What limits this node right now: a sentence for each limit, or one that nothing does. */
export function Limits({ status }: { status: NodeStatus }) {
  const { t } = useTranslation('dashboard');
  const limits = limitsOf(status);
  const free = limits.length === 0;
  const chosen = limits.every(({ kind }) => CHOSEN.has(kind));
  return (
    <Alert
      color={free ? 'green' : chosen ? 'blue' : 'yellow'}
      icon={free ? <IconCircleCheck aria-hidden /> : <IconInfoCircle aria-hidden />}
      title={free ? undefined : t('limits.title')}
      role="status"
    >
      <Stack gap={4}>
        {free && <Text size="sm">{t('limits.none')}</Text>}
        {limits.map((limit) => (
          <Sentence key={limit.kind + limit.rule} limit={limit} status={status} />
        ))}
      </Stack>
    </Alert>
  );
}

function Sentence({ limit, status }: { limit: Limit; status: NodeStatus }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  const { kind } = limit;
  const rule = RULES.find((known) => known === limit.rule);
  const page = PAGES[kind];
  return (
    <Text size="sm">
      {t(`limits.${kind}`, {
        // The rules of the load policy have words of their own here, shorter than main's.
        why: rule ? t(`rule.${rule}`) : (worded(limit, 'detail') ?? ''),
        role: t(`common:role.${status.role}`),
        capacity: format.percent((status.health?.capacity ?? 0) / 100),
      })}{' '}
      {page && (
        <Anchor href={`#/${page.path}`} size="sm" underline="always" c="inherit">
          {t(`limits.open.${page.name}`)}
        </Anchor>
      )}
    </Text>
  );
}
