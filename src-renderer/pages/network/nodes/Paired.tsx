import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { fingerprint } from '../../../../src-preload/contract/pairing-code.ts';
import { Note } from '../../../components/Note.tsx';

/** Whom this node is paired with now, and how to make sure of it. */
export function Paired({ node: { id, name } }: { node: FleetNode }) {
  const { t } = useTranslation('network');
  return (
    <Note state="good" icon={IconCheck} role="status" title={t('mine.paired.title', { name })}>
      <Text ff="monospace" fz={17} my={4}>
        {fingerprint(id)}
      </Text>
      <Text size="sm">{t('mine.paired.compare')}</Text>
    </Note>
  );
}
