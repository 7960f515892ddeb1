import { Box, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Download } from '../../../../src-preload/contract/models.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { SettingField } from '../../../components/setting-field/SettingField.tsx';
import { useTitles } from '../../../components/useTitles.ts';
import { DownloadRow } from './DownloadRow.tsx';

const MEGABYTE = 1_000_000;

/** What is being downloaded, and the cap for all of it together. @param downloads undefined while they are on their way */
export function Downloads({ downloads }: { downloads: Download[] | undefined }) {
  const { t } = useTranslation(['models', 'settings']);
  return (
    <>
      {!downloads && <TableSkeleton rows={2} />}
      {downloads && downloads.length > 0 && <DownloadTable downloads={downloads} />}
      <Box className={classes.pad}>
        {downloads?.length === 0 && (
          <EmptyState title={t('downloads.empty')}>
            <Text size="sm">{t('downloads.emptyHelp')}</Text>
            <Button variant="default" size="xs" component="a" href="#/models/catalogue">
              {t('local.toCatalogue')}
            </Button>
          </EmptyState>
        )}
        <Box maw={420} mt="lg">
          <SettingField path="models.downloadLimit" scale={MEGABYTE} unit="MB/s" empty={t('settings:number.noLimit')} />
        </Box>
      </Box>
    </>
  );
}

function DownloadTable({ downloads }: { downloads: Download[] }) {
  const { t } = useTranslation('models');
  const titleOf = useTitles();
  const titleOfDownload = ({ name, adapter }: Download) =>
    adapter ? t('downloads.version', { name: adapter.name }) : titleOf(name);
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('place.downloads')}>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col">{t('downloads.here')}</th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('downloads.speed')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('downloads.timeLeft')}
            </th>
            <th scope="col" aria-label={t('column.actions')} />
          </tr>
        </thead>
        <tbody>
          {downloads.map((download) => (
            <DownloadRow key={download.name} download={download} title={titleOfDownload(download)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
