import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';

/** What this node is called at the others, and where that is set. */
export function OwnName({ nodes }: { nodes: readonly FleetNode[] }) {
  const { t } = useTranslation('network');
  const own = nodes.find(({ self }) => self);
  return (
    own && (
      <Text size="sm" c="var(--q-ink-2)">
        {t('mine.ownName', { name: own.name })}
      </Text>
    )
  );
}
