import type { Icon } from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import { ignoring } from '../api/ignoring.ts';

/** What a page looks like in the menu and in the window. */
export interface Screen {
  icon: Icon;
  Content: ComponentType;
  /** Fetches the page before it is opened, so that it opens also while the node is away. Never throws. */
  fetch: () => Promise<void>;
  /** What the page has in the header, beside how mining stands. */
  Beside: ComponentType | undefined;
}

/** A page could not be fetched: the node is away, or another version of it is there by now. */
export class PageNotFetched extends Error {}

/** A page that is fetched when it is first opened; where that failed, when it is opened again. */
export function screen(icon: Icon, load: () => Promise<ComponentType>, Beside?: ComponentType): Screen {
  const made: Screen = { icon, Content: page(), fetch, Beside };
  return made;

  async function fetch(): Promise<void> {
    await load().catch(ignoring('it is tried again when it is opened, and told then'));
  }

  function page(): ComponentType {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (cause) {
        made.Content = page(); // a lazy component fails for ever once it has failed
        throw new PageNotFetched('The page could not be fetched.', { cause });
      }
    });
  }
}
