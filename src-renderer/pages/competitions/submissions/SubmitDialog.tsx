import { Button, FileInput, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryDraft } from '../../../../src-preload/contract/competition.ts';
import { LEAST_AIM, MOST_AIM, MOST_ENTRY_BYTES } from '../../../../src-preload/contract/competition-numbers.ts';
import { api, client } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../competitions.module.css';
import { bringFile } from './bring-file.ts';

interface SubmitDialogProps {
  onClose: () => void;
  onSubmitted: (id: string) => void;
}

/** Chooses a file, says what submitting it would publish and by whom, and submits it once that is confirmed. */
export function SubmitDialog({ onClose, onSubmitted }: SubmitDialogProps) {
  const { t } = useTranslation('competitions');
  const [draft, setDraft] = useState<EntryDraft>();
  const forget = useMutation(api.competition.forget.mutationOptions());
  const isLeft = useRef(false);
  const leave = () => {
    isLeft.current = true;
    if (draft) forget.mutate({ id: draft.entry.id });
    onClose();
  };
  // Who leaves while it is prepared wants none of it kept.
  const prepared = (made: EntryDraft) => (isLeft.current ? forget.mutate({ id: made.entry.id }) : setDraft(made));
  return (
    <Modal opened onClose={leave} title={t(draft ? 'submit.published' : 'submit.open')} centered>
      {draft ? (
        <Confirm
          draft={draft}
          onLeave={leave}
          onDone={() => {
            onSubmitted(draft.entry.id);
            onClose();
          }}
        />
      ) : (
        <Choose onLeave={leave} onPrepared={prepared} />
      )}
    </Modal>
  );
}

function Choose({ onLeave, onPrepared }: { onLeave: () => void; onPrepared: (draft: EntryDraft) => void }) {
  const { t } = useTranslation(['competitions', 'common']);
  const format = useFormat();
  const [file, setFile] = useState<File | null>(null);
  const [tokens, setTokens] = useState(LEAST_AIM);
  const tooLarge = file !== null && file.size > MOST_ENTRY_BYTES;
  const isEmpty = file?.size === 0;
  const prepare = useMutation({
    mutationFn: async (chosen: File) =>
      client.competition.prepare({ sha256: await bringFile(chosen), name: chosen.name.slice(-200), tokens }),
    onSuccess: onPrepared,
  });
  return (
    <Stack>
      <FileInput
        label={t('submit.file')}
        description={t('submit.fileMeans', { size: format.bytes(MOST_ENTRY_BYTES) })}
        placeholder={t('submit.choose')}
        error={(tooLarge && t('submit.tooLarge')) || (isEmpty && t('submit.empty'))}
        value={file}
        onChange={setFile}
        data-autofocus
      />
      <NumberInput
        label={t('submit.tokens')}
        description={t('submit.tokensMeans')}
        {...{ min: LEAST_AIM, max: MOST_AIM, step: LEAST_AIM }}
        allowDecimal={false}
        clampBehavior="blur"
        thousandSeparator=" "
        value={tokens}
        onChange={(value) => typeof value === 'number' && setTokens(value)}
      />
      <ErrorNote error={prepare.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onLeave}>
          {t('common:action.cancel')}
        </Button>
        <Button
          disabled={!file || isEmpty || tooLarge}
          loading={prepare.isPending}
          onClick={() => file && prepare.mutate(file)}
        >
          {t('submit.next')}
        </Button>
      </Group>
    </Stack>
  );
}

interface ConfirmProps {
  draft: EntryDraft;
  onLeave: () => void;
  onDone: () => void;
}

function Confirm({ draft: { entry, published, warnings }, onLeave, onDone }: ConfirmProps) {
  const { t } = useTranslation(['competitions', 'common']);
  const format = useFormat();
  const submit = useMutation(api.competition.submit.mutationOptions({ onSuccess: onDone }));
  const { name, round } = entry;
  return (
    <Stack>
      <Text size="sm">{t('submit.means', { name, round, tokens: format.number(entry.tokens) })}</Text>
      <ul className={classes.published}>
        {published.map((one) => (
          <li key={one.text}>{worded(one, 'text')}</li>
        ))}
      </ul>
      {warnings.length > 0 && (
        <Note state="pause" icon={IconAlertTriangle}>
          {warnings.map((one) => (
            <div key={one.text}>{worded(one, 'text')}</div>
          ))}
        </Note>
      )}
      <ErrorNote error={submit.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onLeave} data-autofocus>
          {t('common:action.cancel')}
        </Button>
        <Button loading={submit.isPending} onClick={() => submit.mutate({ id: entry.id })}>
          {t('submit.confirm')}
        </Button>
      </Group>
    </Stack>
  );
}
