import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { type AgeGroup, byAge } from './by-age.ts';
import { ConversationItem } from './ConversationItem.tsx';
import classes from './playground.module.css';
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
    <div className={classes.list}>
      <Button
        variant="default"
        flex="none"
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={() => choose(undefined)}
      >
        {t('new')}
      </Button>
      <TextInput
        size="xs"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={t('search')}
        aria-label={t('searchAll')}
        leftSection={<IconSearch size={14} aria-hidden />}
      />
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data && byAge(data).map((group) => <Group key={group.age} group={group} onChoose={choose} />)}
      {!data && !error && <ListSkeleton />}
      {data?.length === 0 && (
        <Text c="var(--q-ink-3)" size="sm" px={8}>
          {t(wanted ? 'nothingFound' : 'noConversations')}
        </Text>
      )}
      {data && data.length > 0 && <RemoveAll />}
    </div>
  );
}

/** Conversations of one age, below its name. */
function Group({ group: { age, conversations }, onChoose }: { group: AgeGroup; onChoose: (id: string) => void }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const name = typeof age === 'number' ? format.month(age) : t(`age.${age}`);
  const id = useId();
  return (
    <div>
      <h2 className={classes.age} id={id}>
        {name}
      </h2>
      <ul aria-labelledby={id}>
        {conversations.map((conversation) => (
          <ConversationItem key={conversation.id} conversation={conversation} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  );
}

function ListSkeleton() {
  const { t } = useTranslation();
  return (
    <Stack gap={14} p={8} role="status" aria-label={t('loading')}>
      {[80, 65, 90, 55].map((width) => (
        <Skeleton key={width} h={14} w={`${width}%`} />
      ))}
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
        color="gray"
        size="xs"
        flex="none"
        mt="auto"
        px={4}
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
