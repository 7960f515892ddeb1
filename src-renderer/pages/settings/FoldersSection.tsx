import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { OpenFolder } from '../../components/setting-field/OpenFolder.tsx';
import { useFormat } from '../../i18n/format.ts';
import { Fields, FormSection } from './fields/Fields.tsx';
import classes from './settings.module.css';

export function FoldersSection() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { data: disk } = useAnswer(api.models.diskUse.queryOptions());
  return (
    <>
      <FormSection title={t('folders.data')} help={t('folders.dataHelp')}>
        <Fields of="data" />
        <OpenFolder folder="data" />
      </FormSection>
      <FormSection title={t('folders.models')} help={t('folders.modelsHelp')}>
        {disk && (
          <p className={classes.fact}>
            {t('folders.modelsNow', { folder: disk.folder, free: format.bytes(disk.free) })}{' '}
            <Anchor href="#/models" fz="inherit" underline="always">
              {t('folders.move')}
            </Anchor>
          </p>
        )}
        <OpenFolder folder="models" />
        <Fields of="modelFolder" />
      </FormSection>
    </>
  );
}
