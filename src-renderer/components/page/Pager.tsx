import { Center, Pagination } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface PagerProps {
  page: number;
  pages: number;
  setPage: (page: number) => void;
  /** Of what. */
  label: string;
}

/** Leads through the pages of a table; nothing where there is but one. */
export function Pager({ page, pages, setPage, label }: PagerProps) {
  const { t } = useTranslation();
  if (pages < 2) return null;
  return (
    <Center component="nav" aria-label={label}>
      <Pagination
        size="sm"
        value={page}
        total={pages}
        onChange={setPage}
        getItemProps={(number) => ({ 'aria-label': t('pages.page', { number }) })}
        getControlProps={(control) => ({
          'aria-label': t(control === 'next' || control === 'last' ? 'pages.next' : 'pages.previous'),
        })}
      />
    </Center>
  );
}
