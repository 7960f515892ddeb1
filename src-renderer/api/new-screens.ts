import { ignoring } from './ignoring.ts';
import { isNothingToLose } from './nothing-to-lose.ts';
import { useOutdated } from './outdated.ts';

/** Of which screens this page was loaded again, in the browser's store for this tab. */
const LOADED_FOR = 'quarry-loaded-for';
const LOOK_AGAIN_MS = 1_000;

let waiting: ReturnType<typeof setInterval> | undefined;

/**
 * Loads the page again where the server has other screens by now: the node was updated, and what this page still wants to fetch
 * may be gone. At once if nobody loses anything by it, else as soon as that is so. Once for each of them: a page that comes
 * as it was (an old copy that is kept somewhere) is not loaded again and again.
 *
 * @returns whether the page is on its way out
 * @throws when the server does not answer
 */
export async function loadNewScreens(): Promise<boolean> {
  const entry = await newEntry();
  useOutdated.setState(entry !== undefined);
  if (entry === undefined || sessionStorage.getItem(LOADED_FOR) === entry) return false;
  if (isNothingToLose()) {
    sessionStorage.setItem(LOADED_FOR, entry);
    location.reload();
    return true;
  }
  waiting ??= setInterval(() => isNothingToLose() && void again(), LOOK_AGAIN_MS);
  return false;
}

/** The server may be away just now; then the lost connection brings this page back here. */
async function again(): Promise<void> {
  clearInterval(waiting);
  waiting = undefined;
  await loadNewScreens().catch(ignoring('the server is away: a connection that is made anew looks again'));
}

/** The scripts that the server's screens begin with, if that is not what these began with. */
async function newEntry(): Promise<string | undefined> {
  const response = await fetch('./', { cache: 'no-store' });
  const theirs = entryOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
  return theirs === entryOf(document) ? undefined : theirs;
}

/** The scripts that a page begins with: their names change with their content. */
function entryOf(page: Document): string | undefined {
  const scripts = [...page.querySelectorAll('script[type="module"]')];
  return scripts.map((script) => script.getAttribute('src')).join() || undefined;
}
