import { Box, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataSource } from '../../../../src-preload/contract/data.ts';
import { MAX_TOPIC_CHARS } from '../../../../src-preload/contract/data-limits.ts';
import { SOURCE_KINDS } from '../../../../src-preload/contract/data-names.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { wantSetting } from '../../../state/wanted.ts';
import { SwitchOn } from '../SwitchOn.tsx';
import { canBeAsked, useSources } from '../use-data.ts';
import { useFindView } from './find-view.ts';

interface FindToolsProps {
  isSearching: boolean;
  /** Asks for the same once more. */
  onAgain: () => void;
}

/** Which source is asked, and for what. */
export function FindTools({ isSearching, onAgain }: FindToolsProps) {
  const { t } = useTranslation('data');
  const { source: picked, typed, asked } = useFindView();
  const sources = useSources();
  const source = picked ?? sources.data?.find(canBeAsked)?.kind ?? 'folder';
  const [wasAsked, setAsked] = useState(false);
  const chosen = sources.data?.find(({ kind }) => kind === source);
  const topic = typed.trim();
  const search = (event: FormEvent) => {
    event.preventDefault();
    setAsked(topic === '');
    if (topic === '') return;
    if (asked?.source === source && asked.topic === topic) return onAgain();
    useFindView.setState({ source, asked: { source, topic }, selected: undefined, chosen: {} });
  };
  return (
    <>
      <form className={tableClasses.tools} onSubmit={search} noValidate style={{ alignItems: 'flex-start' }}>
        <NativeSelect
          aria-label={t('find.source')}
          data={SOURCE_KINDS.map((value) => ({ value, label: t(`source.${value}`) }))}
          value={source}
          onChange={({ currentTarget }) =>
            useFindView.setState({ source: SOURCE_KINDS.find((kind) => kind === currentTarget.value) })
          }
        />
        <TextInput
          className={tableClasses.search}
          aria-label={t('find.topic')}
          placeholder={t('find.topic')}
          leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
          maxLength={MAX_TOPIC_CHARS}
          error={wasAsked && topic === '' && t('order.noTopic')}
          value={typed}
          onChange={(event) => useFindView.setState({ typed: event.currentTarget.value })}
        />
        <Button type="submit" loading={isSearching} disabled={chosen && !canBeAsked(chosen)}>
          {t('find.search')}
        </Button>
      </form>
      <Box className={tableClasses.pad} pt={4} pb={8}>
        <ErrorNote error={sources.error} onRetry={() => void sources.refetch()} />
        {chosen && <AboutSource source={chosen} />}
      </Box>
    </>
  );
}

/** Why it cannot be asked, what went wrong when it was last, or what whoever asks it agrees to. */
function AboutSource({ source }: { source: DataSource }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const { isOn, lacks, fault, askedAt, terms } = source;
  if (!isOn) {
    return (
      <Note state="pause" icon={IconAlertTriangle} title={t('sources.off')}>
        <SwitchOn source={source} />
      </Note>
    );
  }
  if (lacks) {
    return (
      <Note
        state="pause"
        icon={IconAlertTriangle}
        actions={
          <Button component="a" href="#/settings/all" size="xs" variant="default" onClick={() => wantSetting('data.')}>
            {t('sources.settings')}
          </Button>
        }
      >
        {worded(lacks, 'text')}
      </Note>
    );
  }
  if (fault) {
    return (
      <Note state="pause" icon={IconAlertTriangle} title={worded(fault, 'text')}>
        {askedAt !== null && t('sources.askedAt', { time: format.time(askedAt) })}
      </Note>
    );
  }
  if (!terms) return null;
  return <Note icon={IconInfoCircle}>{worded(terms, 'text')}</Note>;
}
