import { Box, Button, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompetitionState } from '../../../../src-preload/contract/competition.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { NoServer } from '../NoServer.tsx';
import { useCompetition } from '../use-competition.ts';
import { EntryInspector } from './EntryInspector.tsx';
import { EntryTable } from './EntryTable.tsx';
import { SubmitDialog } from './SubmitDialog.tsx';

/** What this node has submitted, how each stands and why, and a way to submit more. */
export function Submissions() {
  const { value: state, error } = useCompetition();
  if (error) return <Box className={tableClasses.pad} children={<ErrorNote error={error} />} />;
  if (!state) return <TableSkeleton rows={4} />;
  if (state.server === null && state.entries.length === 0) return <NoServer />;
  return <Entries state={state} />;
}

function Entries({ state: { entries, server } }: { state: CompetitionState }) {
  const { t } = useTranslation('competitions');
  const [selected, setSelected] = useState<string>();
  const [submitting, setSubmitting] = useState(false);
  const submit = (
    <Button
      leftSection={<IconUpload size={15} stroke={1.6} aria-hidden />}
      disabled={server === null}
      onClick={() => setSubmitting(true)}
    >
      {t('submit.open')}
    </Button>
  );
  return (
    <>
      <ListAndDetails
        title={t('entry.title')}
        rows={entries}
        keyOf={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        details={(entry) => <EntryInspector key={entry.id} entry={entry} />}
      >
        {(shown, select) => (
          <>
            {entries.length > 0 && (
              <>
                <div className={tableClasses.tools}>
                  <span className={tableClasses.space} />
                  {submit}
                </div>
                <EntryTable entries={entries} selected={shown} onSelect={select} />
              </>
            )}
            {entries.length === 0 && (
              <Box className={tableClasses.pad}>
                <EmptyState title={t('entry.none')}>
                  <Text size="sm">{t('entry.noneMeans')}</Text>
                  {submit}
                </EmptyState>
              </Box>
            )}
          </>
        )}
      </ListAndDetails>
      {submitting && <SubmitDialog onClose={() => setSubmitting(false)} onSubmitted={setSelected} />}
    </>
  );
}
