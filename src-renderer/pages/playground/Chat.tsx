import { ActionIcon, Drawer, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconMessages } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { api, client } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Inspector } from '../../components/page/Inspector.tsx';
import { AskSettings } from './AskSettings.tsx';
import { ask, edit, regenerate, stop, useAnswers } from './answers.ts';
import { type Asked, Composer } from './Composer.tsx';
import { Examples } from './Examples.tsx';
import { Hindrance } from './Hindrance.tsx';
import classes from './playground.module.css';
import { useSelection } from './selection.ts';
import type { TurnActs } from './TurnActs.tsx';
import { TurnLog } from './TurnLog.tsx';
import { useAnswerers } from './useAnswerers.ts';
import { useChoose } from './useChoose.tsx';

const LOOK_AGAIN_MS = 1_000;

interface ChatProps {
  id: string | undefined;
  /** There is room for the inspector beside it. */
  inspected: boolean;
  /** Where there is none for the list. */
  onOpenList: (() => void) | undefined;
}

/** One conversation, or the place where one begins, and beside it who answers there. */
export function Chat({ id, inspected, onOpenList }: ChatProps) {
  const { t } = useTranslation('playground');
  const [opened, drawer] = useDisclosure();
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
  const answerers = useAnswerers(options);

  const change = useMutation({ mutationFn: (next: AskOptions) => keepOptions(id, next) });
  const send = useMutation({
    mutationFn: async (question: Asked) => {
      const conversation = id ?? (await begin(options));
      void ask(conversation, question, turns);
    },
  });
  const show = useMutation({ mutationFn: showBranch });
  const actsIn = (conversation: string): TurnActs => ({
    regenerate: () => void regenerate(conversation, turns),
    edit: (turn, text) => void edit(conversation, turn, text, turns),
    show: (turn) => show.mutate({ id: conversation, turn }),
  });
  const { choose, question } = useChoose(options, answerers, (next) => change.mutate(next));
  const settings = (
    <AskSettings options={options} answerers={answerers} onChoose={choose} onChange={(next) => change.mutate(next)} />
  );

  return (
    <>
      <section className={classes.chat} aria-label={t('log')}>
        {(onOpenList || !inspected) && (
          <div className={classes.bar}>
            {onOpenList && <BarButton icon={IconMessages} label={t('conversations')} onClick={onOpenList} />}
            <span>{stored.data?.conversation.title || t('new')}</span>
            {!inspected && (
              <BarButton icon={IconAdjustmentsHorizontal} label={t('target.label')} onClick={drawer.open} />
            )}
          </div>
        )}
        {id && stored.isPending && !running ? (
          <LogSkeleton />
        ) : turns.length === 0 && !running ? (
          <Examples onChoose={(text) => send.mutate({ text, files: [] })} />
        ) : (
          <TurnLog turns={turns} running={running} acts={running || !id ? undefined : actsIn(id)} />
        )}
        <div className={classes.composer}>
          <ErrorNote error={stored.error ?? send.error ?? change.error ?? show.error ?? refused} />
          <Hindrance target={options.target} />
          <Composer
            draftOf={id ?? 'new'}
            busy={running !== undefined || send.isPending}
            options={options}
            answerers={answerers}
            onChoose={choose}
            onSend={(question) => send.mutate(question)}
            onStop={() => id && stop(id)}
          />
        </div>
      </section>
      {question}
      {inspected ? (
        <Inspector title={t('target.label')}>{settings}</Inspector>
      ) : (
        <Drawer opened={opened} onClose={drawer.close} position="right" size={320} title={t('target.label')}>
          {settings}
        </Drawer>
      )}
    </>
  );
}

function BarButton({ icon: Icon, label, onClick }: { icon: typeof IconMessages; label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size={40} onClick={onClick} aria-label={label} title={label}>
      <Icon size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}

/** A question and its answer, as they will stand. */
function LogSkeleton() {
  return (
    <div className={classes.log} aria-hidden>
      <div className={classes.turns}>
        <Skeleton h={40} w="60%" ml="auto" radius="lg" />
        <Skeleton h={14} mt={20} />
        <Skeleton h={14} mt={10} w="92%" />
        <Skeleton h={14} mt={10} w="70%" />
      </div>
    </div>
  );
}

/** Makes a conversation and shows it. */
async function begin(options: AskOptions): Promise<string> {
  const { id } = await client.conversations.create(options);
  useSelection.setState({ id });
  await queryClient.invalidateQueries({ queryKey: api.conversations.list.key() });
  return id;
}

async function showBranch(place: { id: string; turn: number }): Promise<void> {
  const shown = await client.conversations.show(place);
  queryClient.setQueryData(api.conversations.get.queryKey({ input: { id: place.id } }), shown);
}

/** Options of a conversation are kept with it; the next new one begins with the same. */
async function keepOptions(id: string | undefined, options: AskOptions): Promise<void> {
  useSelection.setState({ options });
  if (!id) return;
  await client.conversations.update({ id, options });
  await queryClient.invalidateQueries({ queryKey: api.conversations.get.queryKey({ input: { id } }) });
}
