import { ActionIcon, Drawer, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconMessages } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { api, client } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Inspector } from '../../components/page/Inspector.tsx';
import { useEscape } from '../../components/page/use-escape.ts';
import { AskSettings } from './ask-settings/AskSettings.tsx';
import { type Asked, Composer } from './composer/Composer.tsx';
import { Examples } from './Examples.tsx';
import { useAttaching } from './files/use-attaching.ts';
import { Hindrance } from './Hindrance.tsx';
import classes from './playground.module.css';
import { ask, edit, regenerate, stop, useAnswers } from './state/answers.ts';
import { useSelection } from './state/selection.ts';
import type { TurnActs } from './turns/TurnActs.tsx';
import { TurnLog } from './turns/TurnLog.tsx';
import { useAnswerers } from './who/useAnswerers.ts';
import { useChoose } from './who/useChoose.tsx';

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
  // Not the answer that is coming: what stands beside it is not drawn anew with each of its pieces.
  const asked = useAnswers((answers) => (id ? answers.running[id]?.turns : undefined));
  const busy = asked !== undefined;
  const refused = useAnswers((answers) => (id ? answers.failed[id] : undefined));
  const nextOptions = useSelection((selection) => selection.options);
  const options = stored.data?.conversation.options ?? nextOptions;
  const turns = asked ?? stored.data?.turns ?? [];
  const answerers = useAnswerers(options);
  const attaching = useAttaching(id ?? 'new');

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
    isPrivate: options.private ?? false,
  });
  const { choose, question } = useChoose(options, answerers, change.mutate);
  const settings = <AskSettings options={options} answerers={answerers} onChoose={choose} onChange={change.mutate} />;

  useEscape(opened && !inspected, drawer.close);

  const onDrop = (event: DragEvent) => {
    const dropped = [...event.dataTransfer.files];
    // A model is for the whole window, which takes it into the library.
    if (dropped.length === 0 || dropped.some(({ name }) => name.toLowerCase().endsWith('.gguf'))) return;
    event.preventDefault();
    attaching.add(dropped);
  };

  return (
    <>
      <section
        className={classes.chat}
        aria-label={t('log')}
        onDrop={onDrop}
        onDragOver={(event) => event.preventDefault()}
      >
        {(onOpenList || !inspected) && (
          <div className={classes.bar}>
            {onOpenList && <BarButton icon={IconMessages} label={t('conversations')} onClick={onOpenList} />}
            <span>{stored.data?.conversation.title || t('new')}</span>
            {!inspected && (
              <BarButton icon={IconAdjustmentsHorizontal} label={t('target.label')} onClick={drawer.open} />
            )}
          </div>
        )}
        {id && stored.isPending && !busy ? (
          <LogSkeleton />
        ) : turns.length === 0 && !busy ? (
          <Examples onChoose={(text) => send.mutate({ text, files: [], long: [] })} />
        ) : (
          <TurnLog id={id} turns={turns} acts={busy || !id ? undefined : actsIn(id)} />
        )}
        <div className={classes.composer}>
          <ErrorNote error={stored.error ?? send.error ?? change.error ?? show.error ?? refused} />
          <Hindrance target={options.target} />
          <Composer
            draftOf={id ?? 'new'}
            busy={busy || send.isPending}
            options={options}
            answerers={answerers}
            attaching={attaching}
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
        <Drawer
          opened={opened}
          onClose={drawer.close}
          closeOnEscape={false}
          position="right"
          size={320}
          title={t('target.label')}
        >
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
