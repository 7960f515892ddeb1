import { Button, Group, Loader, Modal, Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CaptureSourceView } from '../../../../src-preload/contract/focus.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import type { Picked } from '../../../state/recording.ts';
import classes from './picker.module.css';

/** Which screen or window is recorded, in the app’s own window. @param pick takes the choice; nothing where there is none */
export function SourcePicker({ pick }: { pick: (source?: Picked) => void }) {
  const { t } = useTranslation('focus');
  const { data, error, isFetching, refetch } = useAnswer(
    api.focus.sources.queryOptions({ staleTime: 0, gcTime: 0, refetchOnWindowFocus: false }),
  );
  const of = (kind: CaptureSourceView['kind']) => data?.sources.filter((source) => source.kind === kind) ?? [];
  return (
    <Modal opened onClose={() => pick()} title={t('pick.title')} size={720} centered>
      <Text size="sm" c="var(--q-ink-2)">
        {t('pick.what')}
      </Text>
      <ErrorNote error={error} />
      {!data && isFetching && <Loader size="sm" my="md" />}
      {data?.sources.length === 0 && <None />}
      <Sources title={t('pick.screens')} sources={of('screen')} pick={pick} />
      <Sources title={t('pick.windows')} sources={of('window')} pick={pick} />
      {data && data.hidden > 0 && (
        <Text size="sm" c="var(--q-ink-2)" mt="md">
          {t('pick.hidden', { count: data.hidden })}
        </Text>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          {t('pick.again')}
        </Button>
      </Group>
    </Modal>
  );
}

function None() {
  const { t } = useTranslation('focus');
  return (
    <>
      <Text mt="md">{t('pick.none')}</Text>
      <Text size="sm" c="var(--q-ink-2)">
        {t('pick.noneHint')}
      </Text>
    </>
  );
}

interface SourcesProps {
  title: string;
  sources: readonly CaptureSourceView[];
  pick: (source: Picked) => void;
}

function Sources({ title, sources, pick }: SourcesProps) {
  if (sources.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={classes.title}>{title}</h3>
      <div className={classes.sources}>
        {sources.map(({ id, name, kind, picture }) => (
          <UnstyledButton key={id} className={classes.source} onClick={() => pick({ id, kind })}>
            <span className={classes.picture}>{picture && <img src={picture} alt="" />}</span>
            <span className={classes.name}>{name}</span>
          </UnstyledButton>
        ))}
      </div>
    </section>
  );
}
