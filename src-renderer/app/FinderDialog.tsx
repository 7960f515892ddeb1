import '@mantine/spotlight/styles.css';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './finder.module.css';
import { closeFinder, useFinder } from './finder.ts';
import { matching } from './finder-match.ts';
import { useFinderActions } from './use-finder-actions.tsx';
import {
  useFinderModels,
  useFinderPages,
  useFinderSearch,
  useFinderSections,
  useFinderSettings,
} from './use-finder-places.tsx';

/** Of all groups together, beside the search elsewhere: more than that nobody reads. */
const MOST_SHOWN = 12;

/** Finds pages, models, settings and actions by their words. */
export function FinderDialog() {
  const { t } = useTranslation();
  const opened = useFinder((finder) => finder.opened);
  const [query, setQuery] = useState('');
  const groups: SpotlightActionGroupData[] = [
    { group: t('finder.pages'), actions: [...useFinderPages(), ...useFinderSections()] },
    { group: t('finder.actions'), actions: useFinderActions() },
    { group: t('finder.models'), actions: useFinderModels() },
    { group: t('finder.settings'), actions: useFinderSettings() },
  ];
  const elsewhere = { group: t('finder.more'), actions: useFinderSearch(query) };
  useEffect(() => {
    if (opened) spotlight.open();
  }, [opened]);
  return (
    <Spotlight
      actions={[...matching(query, groups, MOST_SHOWN), elsewhere]}
      filter={(_, found) => found}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      onSpotlightClose={closeFinder}
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
