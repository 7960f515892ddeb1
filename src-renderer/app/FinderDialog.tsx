import '@mantine/spotlight/styles.css';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './finder.module.css';
import { closeFinder, useFinder } from './finder.ts';
import { useFinderActions } from './use-finder-actions.tsx';
import { useFinderModels, useFinderPages, useFinderSettings } from './use-finder-places.tsx';

/** Of each search: more than that nobody reads. */
const MOST_SHOWN = 12;

/** Finds pages, models, settings and actions by their words. */
export function FinderDialog() {
  const { t } = useTranslation();
  const opened = useFinder((finder) => finder.opened);
  const groups: SpotlightActionGroupData[] = [
    { group: t('finder.pages'), actions: useFinderPages() },
    { group: t('finder.actions'), actions: useFinderActions() },
    { group: t('finder.models'), actions: useFinderModels() },
    { group: t('finder.settings'), actions: useFinderSettings() },
  ];
  useEffect(() => {
    if (opened) spotlight.open();
  }, [opened]);
  return (
    <Spotlight
      actions={groups}
      shortcut={null}
      onSpotlightClose={closeFinder}
      nothingFound={t('finder.nothing')}
      limit={MOST_SHOWN}
      highlightQuery
      scrollable
      maxHeight={420}
      radius="lg"
      centered={false}
      yOffset="12vh"
      overlayProps={{ blur: 0, backgroundOpacity: 0.32 }}
      attributes={{ content: { 'aria-label': t('finder.open') } }}
      classNames={{ action: classes.action, actionsGroup: classes.group }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} aria-hidden />,
        placeholder: t('finder.placeholder'),
        'aria-label': t('finder.open'),
      }}
    />
  );
}
