import { Button, Center, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { api, client } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { ask, regenerate, stop, useAnswers } from './answers.ts';
import { ChatOptions } from './ChatOptions.tsx';
import { Composer } from './Composer.tsx';
import { useSelection } from './selection.ts';
import { TargetNotes } from './TargetNotes.tsx';
import { TurnLog } from './TurnLog.tsx';

const LOOK_AGAIN_MS = 1_000;

/** One conversation, or the place where one begins. */
export function Chat({ id }: { id: string | undefined }) {
  const { t } = useTranslation('playground');
  const stored = useAnswer({
    ...api.conversations.get.queryOptions({ input: { id: id ?? '' } }),
    enabled: id !== undefined,
    // Its asker may be another window, or this one before it was loaded again.
    refetchInterval: ({ state }) => (state.data?.turns.at(-1)?.answer?.state === 'answering' ? LOOK_AGAIN_MS : false),
  });
  const running = useAnswers((answers) => (id ? answers.running[id] : undefined));
  const refused = useAnswers((answers) => (id ? answers.failed[id] : undefined));
  const nextOptions = useSelection((selection) => selection.options);
  const options = stored.data?.conversation.options ?? nextOptions;
  const turns = running?.turns ?? stored.data?.turns ?? [];

  const change = useMutation({ mutationFn: (next: AskOptions) => keepOptions(id, next) });
  const send = useMutation({
    mutationFn: async (text: string) => {
      const conversation = id ?? (await begin(options));
      void ask(conversation, text, turns);
    },
  });

  return (
    <Stack flex={1} mih={0} gap="sm">
      <ChatOptions options={options} onChange={(next) => change.mutate(next)} />
      <TargetNotes options={options} />
      <Paper withBorder flex={1} mih={0} style={{ display: 'flex', overflow: 'hidden' }}>
        {id && stored.isPending && !running ? (
          <Skeleton m="md" h={80} />
        ) : turns.length === 0 && !running ? (
          <Examples onChoose={(text) => send.mutate(text)} />
        ) : (
          <TurnLog turns={turns} running={running} onRegenerate={() => id && void regenerate(id, turns)} />
        )}
      </Paper>
      <ErrorNote error={stored.error ?? send.error ?? change.error ?? refused} />
      <Composer
        draftOf={id ?? 'new'}
        busy={running !== undefined || send.isPending}
        onSend={(text) => send.mutate(text)}
        onStop={() => id && stop(id)}
        label={t('message')}
      />
    </Stack>
  );
}

/** Makes a conversation and shows it. */
async function begin(options: AskOptions): Promise<string> {
  const { id } = await client.conversations.create(options);
  useSelection.setState({ id });
  await queryClient.invalidateQueries({ queryKey: api.conversations.list.key() });
  return id;
}

/** Options of a conversation are kept with it; the next new one begins with the same. */
async function keepOptions(id: string | undefined, options: AskOptions): Promise<void> {
  useSelection.setState({ options });
  if (!id) return;
  await client.conversations.update({ id, options });
  await queryClient.invalidateQueries({ queryKey: api.conversations.get.queryKey({ input: { id } }) });
}

/** What an empty conversation offers. */
function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('playground');
  return (
    <Center flex={1} p="md">
      <Stack align="center" gap="xs">
        <Text fw={600}>{t('examples.title')}</Text>
        <Text c="dimmed" size="sm" ta="center" maw={420}>
          {t('examples.explain')}
        </Text>
        {(['mesh', 'code', 'rewrite'] as const).map((name) => (
          <Button key={name} variant="default" onClick={() => onChoose(t(`examples.${name}`))} h="auto" py="xs">
            <Text size="sm" style={{ whiteSpace: 'normal' }}>
              {t(`examples.${name}`)}
            </Text>
          </Button>
        ))}
      </Stack>
    </Center>
  );
}
