import { Button, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../../src-preload/contract/limits.ts';
import type { PeersView } from '../../../../src-preload/contract/mesh.ts';
import { client } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { usePages } from '../../../components/page/use-pages.ts';
import { Section } from '../../../components/Section.tsx';
import { knownText } from '../../../i18n/known-text.ts';
import { NodeId } from '../NodeId.tsx';
import { Until } from './Until.tsx';

const ROWS = 10;

/** Nodes that are kept out: why, until when, and the way to let them in again. */
export function Bans({ bans }: { bans: PeersView['bans'] }) {
  const { t } = useTranslation(['network', 'common']);
  const { rows, ...pager } = usePages(bans, ROWS);
  const lift = useMutation({
    mutationFn: (id: string) => client.mesh.unban({ id }),
    onSuccess: (_view, id) =>
      notifications.show({
        message: t('network:bans.lifted', { id: shortId(id) }),
      }),
  });
  return (
    <Section title={t('bans.title')} description={t('bans.description')}>
      <ErrorNote error={lift.error} onRetry={() => lift.variables && lift.mutate(lift.variables)} />
      {bans.length === 0 ? (
        <EmptyState title={t('bans.none')}>{t('bans.noneHint')}</EmptyState>
      ) : (
        <Table aria-label={t('bans.title')} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" pl={0}>
                {t('peers.node')}
              </Table.Th>
              <Table.Th scope="col">{t('bans.until')}</Table.Th>
              <Table.Th scope="col" aria-label={t('peers.actions')} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ id, reason, expiresAt }) => (
              <Table.Tr key={id}>
                <Table.Td pl={0}>
                  <NodeId id={id} />
                  <Text size="xs" c="dimmed">
                    {knownText(t('offence', { returnObjects: true }) as Record<string, string>, reason)}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Until at={expiresAt} />
                </Table.Td>
                <Table.Td ta="right" pr={0}>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('bans.liftOf', { id: shortId(id) })}
                    loading={lift.isPending && lift.variables === id}
                    onClick={() => lift.mutate(id)}
                  >
                    {t('bans.lift')}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Pager {...pager} label={t('bans.pages')} />
    </Section>
  );
}
