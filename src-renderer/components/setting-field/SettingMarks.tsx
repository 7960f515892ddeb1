import { Anchor } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconLock, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { worded } from '../../i18n/worded.ts';
import { StateChip } from '../StateChip.tsx';
import { inkOf } from '../state.ts';
import classes from './setting-field.module.css';
import type { SettingHandle } from './useSettingField.ts';

interface SettingMarksProps {
  field: SettingHandle;
  label: string;
  /** Whether one press takes back what was set in the app. Default true. */
  resettable?: boolean;
}

/** What there is to know about a field: who holds it, that it waits for a restart, that it was saved, and the way back. */
export function SettingMarks({ field, label, resettable = true }: SettingMarksProps) {
  const { t } = useTranslation('settings');
  const { setting, held, saved, saving } = field;
  const marks = [
    setting.withheld && <Withheld key="withheld">{worded(setting, 'withheld')}</Withheld>,
    held && <Held key="held" field={field} />,
    setting.waitsForRestart && (
      <div key="waits">
        <StateChip state="pause" icon={IconRefresh}>
          {t('marks.waits')}
        </StateChip>
      </div>
    ),
    setting.origin === 'elsewhere' && <span key="elsewhere">{t('marks.elsewhere')}</span>,
    setting.origin === 'file' && <span key="file">{t('marks.file')}</span>,
    setting.origin === 'app' && !held && resettable && <Reset key="reset" field={field} label={label} />,
  ].filter(Boolean);
  const isSaved = saved && !saving;
  return (
    <div className={marks.length > 0 || isSaved ? classes.marks : undefined}>
      <span role="status" className={classes.saved}>
        {isSaved && (
          <>
            <IconCheck size={14} aria-hidden />
            {t('marks.saved')}
          </>
        )}
      </span>
      {marks}
    </div>
  );
}

function Withheld({ children }: { children: ReactNode }) {
  return (
    <span style={{ color: inkOf('error') }}>
      <IconAlertTriangle size={14} aria-hidden />
      {children}
    </span>
  );
}

function Held({ field: { setting } }: { field: SettingHandle }) {
  const { t } = useTranslation('settings');
  const by = setting.origin === 'environment' ? 'environment' : 'commandLine';
  return (
    <span>
      <IconLock size={14} aria-hidden />
      {t(setting.path === 'dataDir' ? 'marks.held.dataDir' : `marks.held.${by}`)}
    </span>
  );
}

function Reset({ field: { saving, save }, label }: { field: SettingHandle; label: string }) {
  const { t } = useTranslation('settings');
  return (
    <Anchor
      component="button"
      type="button"
      fz={12}
      disabled={saving}
      onClick={() => save(null)}
      aria-label={t('marks.resetOf', { label })}
    >
      {t('marks.reset')}
    </Anchor>
  );
}
