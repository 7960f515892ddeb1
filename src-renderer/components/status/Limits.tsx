import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { NodeStatus } from '../../../src-preload/contract/node.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { type Limit, limitsOf } from '../../state/limits.ts';
import { useNode } from '../../state/node.ts';
import type { Standing } from '../../state/standing.ts';

const RULES = { path: 'settings/policy', name: 'settings' } as const;

/** Where to do something about a limit, and the name of that text. */
const PAGES: Partial<Record<Limit['kind'], { path: string; name: 'models' | 'settings' | 'network' }>> = {
  startFailed: { path: 'models', name: 'models' },
  engineBroken: { path: 'models', name: 'models' },
  paused: RULES,
  slowed: RULES,
  noPeers: { path: 'network', name: 'network' },
};

/** What the first sentence has said already. */
const SAID = new Set<Limit['kind']>(['role', 'stopped', 'starting', 'stopping']);

/** What it means how mining stands, and a sentence for each thing that limits it, with the page where to change it. */
export function Limits({ standing }: { standing: Standing }) {
  const { t } = useTranslation();
  const status = useNode((node) => node.status);
  const limits = status && standing !== 'connecting' ? limitsOf(status).filter(({ kind }) => !SAID.has(kind)) : [];
  const model = status?.mining?.model ?? t('status.itsModel');
  return (
    <Stack gap="xs">
      <Text size="sm">{t(`status.means.${standing}`, { model })}</Text>
      {status && limits.map((limit) => <Sentence key={limit.kind + limit.rule} limit={limit} status={status} />)}
    </Stack>
  );
}

/** A full queue empties by itself; leaving the computer to other programs is a rule. */
function isRule({ health }: NodeStatus): boolean {
  return health?.refusal !== undefined && health.refusal !== 'queue-full';
}

function Sentence({ limit, status }: { limit: Limit; status: NodeStatus }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, rule } = limit;
  const page = kind === 'refusing' && isRule(status) ? RULES : PAGES[kind];
  const why = rule ? t(`status.rule.${rule}`, { defaultValue: rule }) : (worded(limit, 'detail') ?? '');
  const values = {
    why,
    capacity: format.percent((status.health?.capacity ?? 0) / 100),
  };
  return (
    <Text size="sm" c="var(--q-ink-2)">
      {t(`status.limit.${kind}`, values)}{' '}
      {page && (
        <Anchor href={`#/${page.path}`} size="sm">
          {t(`status.open.${page.name}`)}
        </Anchor>
      )}
    </Text>
  );
}
