import { Button, FileButton } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../../components/Section.tsx';
import classes from '../audits.module.css';
import type { AuditsView } from '../use-audits.ts';
import { Brought } from './Brought.tsx';
import { bringReport, useRepeating } from './repeating.ts';

/** A report of somebody else: what it says, and what this computer's own model makes of it. */
export function OthersReport({ view, nameOf }: { view: AuditsView; nameOf: (model: string) => string }) {
  const { t } = useTranslation('audits');
  const { file, report, stop, error } = useRepeating();
  return (
    <Section
      title={t('others.title')}
      description={t('others.what')}
      aside={
        <FileButton accept="application/json,.json" onChange={(chosen) => chosen && void bringReport(chosen)}>
          {(props) => (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconFileImport size={15} stroke={1.6} aria-hidden />}
              disabled={stop !== undefined}
              {...props}
            >
              {t('others.open')}
            </Button>
          )}
        </FileButton>
      }
    >
      {file !== undefined && (
        <section className={classes.others} aria-label={file}>
          {!report && stop && <span role="status">{t('others.reading', { file })}</span>}
          {!report && error && <strong>{file}</strong>}
          {report && <Brought report={report} view={view} title={nameOf(report.model)} />}
          {error && <ErrorNote error={error} />}
        </section>
      )}
    </Section>
  );
}
