import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CreditEntry } from '../../../../src-preload/contract/credits.ts';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { isKnownKind, useKindName } from './kinds.ts';

/** Everything about one entry: what happened, what it changed, and what its kind means. */
export function EntryInspector({ entry }: { entry: CreditEntry }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const kindName = useKindName();
  const { seq, at, kind, requestId, amount, points } = entry;
  return (
    <Inspector title={kindName(kind)} description={worded(entry, 'happened')}>
      <Block>
        <Facts
          facts={[
            [t('ledger.time'), format.time(at)],
            [t('ledger.credits'), format.signed(amount)],
            [
              t('ledger.points'),
              <Text key="points" span inherit c={points > 0 ? 'var(--q-ore)' : undefined} fw={550}>
                {format.signed(points)}
              </Text>,
            ],
            [t('ledger.number'), format.number(seq)],
            [
              t('ledger.request'),
              requestId && (
                <Text span inherit ff="monospace" fz="xs">
                  {requestId}
                </Text>
              ),
            ],
          ]}
        />
      </Block>
      {isKnownKind(kind) && (
        <Block title={t('ledger.meaning', { kind: kindName(kind) })}>
          <Text size="sm" c="var(--q-ink-2)">
            {t(`kind.${kind}.meaning`)}
          </Text>
        </Block>
      )}
    </Inspector>
  );
}
