import { Switch, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LocalModel, Sharing } from '../../../src-preload/contract/models.ts';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { tellError } from '../../components/tell-error.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';

interface SharedModelRowProps {
  model: LocalModel;
  /** Undefined while it is not shared. */
  shared: Sharing['models'][number] | undefined;
}

/** Whether one model is shared, with whom and how much. */
export function SharedModelRow({ model: { name, bytes }, shared }: SharedModelRowProps) {
  const { t } = useTranslation('models');
  const format = useFormat();
  const handlers = {
    onSuccess: (sharing: Sharing) => queryClient.setQueryData(api.models.sharing.queryKey(), sharing),
    onError: (error: unknown) => tellError(error),
  };
  const share = useMutation(api.models.share.mutationOptions(handlers));
  const unshare = useMutation(api.models.unshare.mutationOptions(handlers));
  const change = (on: boolean) => (on ? share : unshare).mutate({ name });
  return (
    <Table.Tr>
      <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Table.Th>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.bytes(bytes)}</Table.Td>
      <Table.Td>
        {shared ? t(`sharing.is.${shared.state}`, { percent: format.percent(shared.prepared) }) : t('sharing.is.not')}
        {shared?.problem && (
          <Text size="xs" c="red">
            {worded(shared, 'problem')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{shared ? format.number(shared.peers) : '–'}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{shared ? format.bytes(shared.uploadedBytes) : '–'}</Table.Td>
      <Table.Td>
        <Switch
          aria-label={t('sharing.shareOf', { name })}
          checked={shared !== undefined}
          disabled={share.isPending || unshare.isPending}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      </Table.Td>
    </Table.Tr>
  );
}
