import { Loader, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { HUB_SORTS, type HubSort } from '../../../../src-preload/contract/hub-sorts.ts';
import classes from '../../../components/page/table.module.css';
import { useHubView } from './hub-view.ts';

/** What to search for, and what comes first. */
export function HubTools({ searching }: { searching: boolean }) {
  const { t } = useTranslation('models');
  const { text, sort } = useHubView();
  return (
    <div className={classes.tools}>
      <TextInput
        className={classes.search}
        type="search"
        aria-label={t('hub.search')}
        placeholder={t('hub.searchHint')}
        leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
        rightSection={searching ? <Loader size={14} aria-hidden /> : undefined}
        maxLength={200}
        value={text}
        onChange={(event) => useHubView.setState({ text: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label={t('hub.order')}
        data={HUB_SORTS.map((value) => ({ value, label: t(`hub.sort.${value}`) }))}
        value={sort}
        onChange={(next) => useHubView.setState({ sort: next as HubSort })}
      />
    </div>
  );
}
