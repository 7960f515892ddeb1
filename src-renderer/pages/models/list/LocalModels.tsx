import { Box, Button, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { useAdding } from '../../../state/adding-model.ts';
import { DiskUse } from '../folder/DiskUse.tsx';
import { OtherApps } from '../folder/OtherApps.tsx';
import { useModels } from '../model/use-models.ts';
import { EVERYTHING } from './catalogue-choice.ts';
import { shownModels } from './catalogue-view.ts';
import { InMemory } from './InMemory.tsx';
import { ListWithDetails } from './ListWithDetails.tsx';
import { ModelTable } from './ModelTable.tsx';

/** The models on this computer, which one is used, and where they are kept. */
export function LocalModels({ downloads }: { downloads: Download[] | undefined }) {
  const { t } = useTranslation('models');
  const { rows, error, refetch } = useModels(downloads);
  const here = useMemo(
    () =>
      rows &&
      shownModels(
        rows.filter(({ local }) => local),
        EVERYTHING,
      ),
    [rows],
  );
  const onlyTiny = here?.every(({ local }) => local?.tiny);
  return (
    <ListWithDetails rows={here ?? []}>
      {(selected, onSelect) => (
        <>
          <div className={classes.tools}>
            <Text size="sm" c="dimmed" visibleFrom="sm">
              {t('import.drop')}
            </Text>
            <span className={classes.space} />
            <Button
              variant="default"
              leftSection={<IconFileImport size={15} stroke={1.6} aria-hidden />}
              onClick={() => useAdding.setState({ by: 'file' })}
            >
              {t('import.open')}
            </Button>
          </div>
          {error !== null && (
            <Box className={classes.pad}>
              <ErrorNote error={error} onRetry={refetch} />
            </Box>
          )}
          {!here && !error && <TableSkeleton rows={3} />}
          {here && here.length > 0 && (
            <ModelTable plain title={t('place.local')} rows={here} selected={selected} onSelect={onSelect} />
          )}
          {onlyTiny && (
            <Box className={classes.pad}>
              <EmptyState title={t('local.empty')}>
                <Text size="sm">{t('local.emptyHelp')}</Text>
                <Button component="a" href="#/models/catalogue">
                  {t('local.toCatalogue')}
                </Button>
              </EmptyState>
            </Box>
          )}
          <Box className={classes.pad}>
            <InMemory />
            <OtherApps />
            <DiskUse />
          </Box>
        </>
      )}
    </ListWithDetails>
  );
}
