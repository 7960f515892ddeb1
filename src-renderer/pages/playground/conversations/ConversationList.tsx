import { ActionIcon, Button, Menu, Group as Row, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconDots, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../playground.module.css';
import { useSelection } from '../state/selection.ts';
import { type AgeGroup, byAge } from './by-age.ts';
import { ConversationItem } from './ConversationItem.tsx';

/** Every conversation, the newest first, with a search over titles and texts. */
export function ConversationList({ onChosen }: { onChosen?: () => void }) {
  const { t } = useTranslation('playground');
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const input = { limit: 200, ...(wanted && { search: wanted }) };
  const { data, error, refetch } = useAnswer(api.conversations.list.queryOptions({ input }));
  const begin = () => {
    useSelection.setState({ id: undefined });
    onChosen?.();
  };
  return (
    <div className={classes.list}>
      <Row gap={6} wrap="nowrap">
        <Button
          variant="default"
          flex={1}
          px={4}
          styles={{ section: { marginInlineEnd: 4 } }}
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={begin}
        >
          {t('new')}
        </Button>
        {data && data.length > 0 && <ListMenu />}
      </Row>
      <TextInput
        size="xs"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={t('search')}
        aria-label={t('searchAll')}
        leftSection={<IconSearch size={14} aria-hidden />}
      />
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data && byAge(data).map((group) => <Group key={group.age} group={group} onChosen={onChosen} />)}
      {!data && !error && <ListSkeleton />}
      {data?.length === 0 && (
        <Text c="var(--q-ink-3)" size="sm" px={8}>
          {t(wanted ? 'nothingFound' : 'noConversations')}
        </Text>
      )}
    </div>
  );
}

/** Conversations of one age, below its name. */
function Group({ group: { age, conversations }, onChosen }: { group: AgeGroup; onChosen: (() => void) | undefined }) {
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
          <ConversationItem key={conversation.id} conversation={conversation} onChosen={onChosen} />
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

/** What is done to all conversations at once. */
function ListMenu() {
  const { t } = useTranslation('playground');
  const [asking, dialog] = useDisclosure();
  const more = useRef<HTMLButtonElement>(null);
  // The menu that the dialog was opened from is gone: its button gets the focus back.
  const close = () => {
    dialog.close();
    more.current?.focus();
  };
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
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon ref={more} variant="subtle" color="gray" size={28} aria-label={t('listMenu')}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item c="error" leftSection={<IconTrash size={15} />} onClick={dialog.open}>
            {t('removeAll')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking}
        title={t('removeAll')}
        action={t('removeAll')}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
        onClose={close}
      >
        {t('removeAllText')}
      </ConfirmDialog>
    </>
  );
}
