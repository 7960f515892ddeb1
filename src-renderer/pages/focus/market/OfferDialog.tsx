import { Button, Group, Modal, NativeSelect, Progress, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_TASK_DESCRIPTION_CHARS, SHORTEST_RECORDING_MS } from '../../../../src-preload/contract/focus-limits.ts';
import { told } from '../../../../src-preload/contract/saying.ts';
import { whyNotOffered } from '../../../../src-preload/contract/why-not-offered.ts';
import { api, client } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { TaoInput } from '../../../components/chain/TaoInput.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';

const MOST_RECORDINGS = 200;

interface OfferDialogProps {
  /** Id of the one that is chosen at first; empty for none. */
  recording: string;
  onClose: () => void;
}

/** Asks which recording, for how much and with which words; its video is made then, and nothing leaves this computer before it is looked at in the list. */
export function OfferDialog({ recording: first, onClose }: OfferDialogProps) {
  const { t } = useTranslation(['trade', 'focus', 'common']);
  const format = useFormat();
  const [recording, setRecording] = useState(first);
  const [wish, setWish] = useState('');
  const [note, setNote] = useState('');
  const [done, setDone] = useState(0);
  const { data, error } = useAnswer(api.focus.list.queryOptions({ input: { text: '', limit: MOST_RECORDINGS } }));
  const { data: given } = useAnswer(api.focus.get.queryOptions({ input: { id: first }, enabled: first !== '' }));
  const newest = (data?.recordings ?? []).filter(({ activeMs }) => activeMs >= SHORTEST_RECORDING_MS);
  const isOlder = data && given && !newest.some(({ id }) => id === given.id);
  const recordings = isOlder ? [...newest, given] : newest;
  const chosen = recordings.find(({ id }) => id === recording);
  const why = chosen && whyNotOffered(chosen.state);
  const rao = wish.trim() === '' ? null : format.readTao(wish);
  const preparing = useSecretly(async () => {
    const words = note.trim() === '' ? {} : { note: note.trim() };
    for await (const step of await client.trade.prepareOffer({ recording, wish: rao ?? null, ...words })) {
      if (step.type === 'progress') setDone(step.done);
    }
    return true;
  });
  const prepare = async () => {
    if (await preparing.go(undefined)) onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('trade:offer.title')} size={480}>
      <Stack>
        <NativeSelect
          label={t('trade:offer.recording')}
          description={t('trade:offer.recordingHint')}
          value={recording}
          onChange={(event) => setRecording(event.currentTarget.value)}
          data={[
            { value: '', label: '–' },
            ...recordings.map(({ id, title, state }) => ({
              value: id,
              label: state === 'ready' ? title : t('trade:offer.inState', { title, state: t(`focus:state.${state}`) }),
            })),
          ]}
          error={why && worded(told({ text: why }), 'text')}
          data-autofocus
        />
        <TaoInput
          label={t('trade:offer.wish')}
          description={t('trade:offer.wishHint')}
          value={wish}
          onChange={setWish}
          error={rao === undefined ? t('trade:offer.noAmount') : undefined}
        />
        <Textarea
          label={t('trade:offer.note')}
          description={t('trade:offer.noteHint')}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={MAX_TASK_DESCRIPTION_CHARS}
          autosize
          maxRows={6}
        />
        <Text size="sm" c="var(--q-ink-2)">
          {t('trade:offer.stays')}
        </Text>
        {preparing.pending && <Progress value={100 * done} aria-label={t('trade:offer.making')} />}
        <ErrorNote error={error ?? preparing.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button
            onClick={() => void prepare()}
            loading={preparing.pending}
            disabled={!chosen || why !== undefined || rao === undefined}
          >
            {t('trade:offer.prepare')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
