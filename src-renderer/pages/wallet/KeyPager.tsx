import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Pager } from '../../components/page/Pager.tsx';
import { SearchField } from '../../components/page/SearchField.tsx';
import classes from '../../components/page/table.module.css';
import type { KeyPage } from './use-key-page.ts';

/** Looks for keys, where there are more than a page of them. */
export function KeySearch({ page: { isLong, text, find } }: { page: KeyPage }) {
  const { t } = useTranslation('wallet');
  if (!isLong) return null;
  return (
    <div className={classes.tools}>
      <SearchField label={t('keys.search')} value={text} onChange={find} />
    </div>
  );
}

/** Below the keys of a page: that none was found, or the way to the other pages. */
export function KeyPager({ page: { text, rows, page, pages, setPage } }: { page: KeyPage }) {
  const { t } = useTranslation('wallet');
  return (
    <>
      {text && rows.length === 0 && (
        <Text size="sm" c="var(--q-ink-2)" className={classes.pad} role="status">
          {t('keys.noneFound')}
        </Text>
      )}
      {pages > 1 && (
        <div className={classes.pad}>
          <Pager page={page} pages={pages} setPage={setPage} label={t('keys.pages')} />
        </div>
      )}
    </>
  );
}
