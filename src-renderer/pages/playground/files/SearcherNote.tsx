import { Anchor, Button } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Trans, useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useDownloads } from '../../../state/downloads.ts';
import classes from '../playground.module.css';

/** Where no embedding model is on this computer: that files are searched by words, and the smallest model that does better. */
export function SearcherNote() {
  const { data } = useAnswer(api.conversations.searcher.queryOptions());
  return data?.model === null ? <Offer /> : null;
}

function Offer() {
  const { t } = useTranslation('playground');
  const format = useFormat();
  const { downloads } = useDownloads();
  const { data: catalogue = [] } = useAnswer(api.models.catalogue.queryOptions({ input: {} }));
  const smallest = catalogue
    .filter(({ use, bytes }) => use === 'embedding' && bytes !== null)
    .toSorted((one, other) => (one.bytes ?? 0) - (other.bytes ?? 0))[0];
  const pull = useMutation(api.models.pull.mutationOptions());
  const download = downloads?.find(({ name }) => name === smallest?.name);
  const here = download?.state === 'done';
  if (!smallest) return <p className={classes.fileNote}>{t('file.byWords')}</p>;
  const { name, title, bytes } = smallest;
  const coming = download && !here && (
    <Trans
      t={t}
      i18nKey="file.downloading"
      values={{ title, share: format.percent(download.bytes ? download.received / download.bytes : 0) }}
      components={{ page: <Anchor href="#/models/downloads" underline="always" c="inherit" inherit /> }}
    />
  );
  return (
    <div className={classes.searcher}>
      <Note
        icon={IconInfoCircle}
        inline
        actions={
          !download && (
            <Button
              size="xs"
              variant="default"
              loading={pull.isPending}
              onClick={() => pull.mutate({ name, from: 'anywhere', trust: false })}
            >
              {t('file.getModel', { bytes: format.bytes(bytes ?? 0) })}
            </Button>
          )
        }
      >
        {t('file.byWords')} {coming || t('file.byMeaning', { title })}
      </Note>
      <ErrorNote error={pull.error} />
    </div>
  );
}
