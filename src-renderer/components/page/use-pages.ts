import { useState } from 'react';

/** Cuts a list that changes into pages; shows the last one where the chosen one is gone. */
export function usePages<T>(list: T[], size: number) {
  const [wanted, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(list.length / size));
  const page = Math.min(wanted, pages);
  return { rows: list.slice((page - 1) * size, page * size), page, pages, setPage };
}
