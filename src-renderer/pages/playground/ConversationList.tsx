import { Button, Loader, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { ConversationItem } from './ConversationItem.tsx';
import { useSelection } from './selection.ts';

/** Every conversation, the newest first, with a search over titles and texts. */
export function ConversationList({ onChosen }: { onChosen?: () => void }) {
  const { t } = useTranslation('playground');
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const input = { limit: 200, ...(wanted && { search: wanted }) };
  const { data, error, refetch } = useAnswer(api.conversations.list.queryOptions({ input }));
  const choose = (id: string | undefined) => {
    useSelection.setState({ id });
    onChosen?.();
  };
  return (
    <Stack h="100%" gap="sm">
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => choose(undefined)}>
        {t('new')}
      </Button>
      <TextInput
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={t('search')}
        aria-label={t('search')}
        leftSection={<IconSearch size={16} aria-hidden />}
      />
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <ScrollArea flex={1}>
        <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {data?.map((conversation) => (
            <ConversationItem key={conversation.id} conversation={conversation} onChoose={choose} />
          ))}
        </Stack>
        {!data && !error && <Loader size="sm" role="status" aria-label={t('loading', { ns: 'common' })} />}
        {data?.length === 0 && (
          <Text c="dimmed" size="sm" p="xs">
            {t(wanted ? 'nothingFound' : 'noConversations')}
          </Text>
        )}
      </ScrollArea>
      {data && data.length > 0 && <RemoveAll />}
    </Stack>
  );
}

function RemoveAll() {
  const { t } = useTranslation('playground');
  const [asking, dialog] = useDisclosure();
  const remove = useMutation(
    api.conversations.removeAll.mutationOptions({
      onSuccess: async () => {
        useSelection.setState({ id: undefined });
        dialog.close();
        await queryClient.invalidateQueries({ queryKey: api.conversations.key() });
      },
    }),
  );
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="xs"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={dialog.open}
      >
        {t('removeAll')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('removeAll')}
        action={t('removeAll')}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
        onClose={dialog.close}
      >
        {t('removeAllText')}
      </ConfirmDialog>
    </>
  );
}
