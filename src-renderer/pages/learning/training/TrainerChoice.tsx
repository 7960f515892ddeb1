import { Radio, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrainerKind } from '../../../../src-preload/contract/learning-trainers.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { SettingMarks } from '../../../components/setting-field/SettingMarks.tsx';
import { useSettingField } from '../../../components/setting-field/useSettingField.ts';
import classes from '../learning.module.css';
import { Outlook } from './Outlook.tsx';
import { TorchInstallation } from './TorchInstallation.tsx';

/** The kinds of trainers in their order, with what else there is to say of one and to do about it. */
const KINDS: Record<TrainerKind, ReactNode> = { here: null, torch: <TorchInstallation />, paired: null };

/** One of the kinds of trainers; saved at once. Of each what it would take. */
export function TrainerChoice() {
  const { t } = useTranslation('learning');
  const field = useSettingField('learning.trainer');
  if (!field) return <Skeleton h={180} />;
  return (
    <div>
      <Radio.Group
        aria-label={t('training.title')}
        value={String(field.setting.value)}
        onChange={(chosen) => field.save(chosen)}
      >
        <ul className={classes.trainers}>
          {(Object.keys(KINDS) as TrainerKind[]).map((trainer) => (
            <li key={trainer}>
              <Radio
                value={trainer}
                disabled={field.held}
                label={t(`trainer.${trainer}.name`)}
                description={t(`trainer.${trainer}.what`)}
              />
              <div className={classes.trainer}>
                <Outlook trainer={trainer} />
                {KINDS[trainer]}
              </div>
            </li>
          ))}
        </ul>
      </Radio.Group>
      <ErrorNote error={field.error === undefined ? null : new Error(field.error)} />
      <SettingMarks field={field} label={t('training.title')} />
    </div>
  );
}
