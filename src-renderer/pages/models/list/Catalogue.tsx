import { Box, Button, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { grouped } from '../model/fit-group.ts';
import { useModels } from '../model/use-models.ts';
import { EVERYTHING, useCatalogueView } from './catalogue-choice.ts';
import { shownModels } from './catalogue-view.ts';
import { ListWithDetails } from './ListWithDetails.tsx';
import { ModelTable } from './ModelTable.tsx';
import { Toolbar } from './Toolbar.tsx';

/** Every model that can be had: those that are here first, then by how well each runs on this computer. */
export function Catalogue({ downloads }: { downloads: Download[] | undefined }) {
  const { t } = useTranslation('models');
  const view = useCatalogueView();
  const { rows, error, refetch } = useModels(downloads);
  // What is only for practice stands under «On this computer», and is nothing to choose.
  const real = useMemo(() => rows?.filter(({ local }) => !local?.tiny), [rows]);
  const shown = useMemo(() => real && grouped(shownModels(real, view)).flatMap(({ rows: some }) => some), [real, view]);
  return (
    <ListWithDetails rows={shown ?? []}>
      {(selected, onSelect) => (
        <>
          <Toolbar total={real?.length} />
          {error !== null && (
            <Box className={classes.pad}>
              <ErrorNote error={error} onRetry={refetch} />
            </Box>
          )}
          {!shown && !error && <TableSkeleton rows={8} />}
          {shown && shown.length > 0 && (
            <ModelTable title={t('place.catalogue')} rows={shown} selected={selected} onSelect={onSelect} />
          )}
          {shown && <VisuallyHidden role="status">{t('catalogue.found', { count: shown.length })}</VisuallyHidden>}
          {shown?.length === 0 && (
            <Box className={classes.pad}>
              <EmptyState title={t('catalogue.nothing')}>
                <Button size="xs" variant="default" onClick={() => useCatalogueView.setState(EVERYTHING)}>
                  {t('catalogue.everything')}
                </Button>
              </EmptyState>
            </Box>
          )}
        </>
      )}
    </ListWithDetails>
  );
}
