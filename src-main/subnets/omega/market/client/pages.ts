/** So many of a market’s pages are looked through. */
const MOST_PAGES = 10;

/**
 * Page after page of a market’s answers, the newest first, as far as there are more.
 * @param read asks for those before a time, Unix milliseconds; undefined for the first page
 * @param rowsOf the rows of a page
 */
export async function* pages<Page extends { more: boolean }, Row extends { createdAt: number }>(
  read: (before: number | undefined) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): AsyncGenerator<readonly Row[], void, undefined> {
  let before: number | undefined;
  for (let count = 0; count < MOST_PAGES; count++) {
    const page = await read(before);
    const rows = rowsOf(page);
    yield rows;
    before = rows.at(-1)?.createdAt;
    if (!page.more || before === undefined) return;
  }
}
