import { Box } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { usePages } from '../../../components/page/use-pages.ts';
import { Answer } from './Answer.tsx';
import { Calibration } from './calibration/Calibration.tsx';
import { NotFound } from './NotFound.tsx';
import { OthersReport } from './report/OthersReport.tsx';
import { type AuditsView, useAudits, useFileNames } from './use-audits.ts';
import { WorkerInspector } from './WorkerInspector.tsx';
import { WorkersChart } from './WorkersChart.tsx';
import { WorkersTable } from './WorkersTable.tsx';

const ROWS = 25;

/** Whether workers compute with the model that they declare: what audits came to, what they go by, and reports of those who were found out. */
export function Audits() {
  const { view, error, retry } = useAudits();
  return (
    <>
      {error !== null && error !== undefined && (
        <PageBody>
          <ErrorNote error={error} onRetry={retry} />
        </PageBody>
      )}
      {!view && !error && <TableSkeleton rows={6} />}
      {view && <Looked view={view} />}
    </>
  );
}

function Looked({ view }: { view: AuditsView }) {
  const { t } = useTranslation('audits');
  const [selected, setSelected] = useState<string>();
  const nameOf = useFileNames(view);
  const { rows, ...pager } = usePages(view.judged, ROWS);
  return (
    <ListAndDetails
      title={t('table.worker')}
      rows={rows}
      keyOf={({ key }) => key}
      selected={selected}
      onSelect={setSelected}
      details={({ audit, verdict }) => (
        <WorkerInspector
          audit={audit}
          verdict={verdict}
          file={nameOf(audit.model)}
          calibration={view.calibrations.find(({ model }) => model === audit.model)}
        />
      )}
    >
      {(shown, select) => (
        <>
          <Answer view={view} />
          {view.judged.length > 0 && (
            <>
              <WorkersChart view={view} nameOf={nameOf} />
              <WorkersTable rows={rows} view={view} nameOf={nameOf} selected={shown} onSelect={select} />
              <Box className={classes.pad} pb={0}>
                <Pager {...pager} label={t('table.pages')} />
              </Box>
            </>
          )}
          <Box className={classes.pad}>
            <Calibration view={view} nameOf={nameOf} />
            <OthersReport view={view} nameOf={nameOf} />
            <NotFound />
          </Box>
        </>
      )}
    </ListAndDetails>
  );
}
