import { IconCoin } from '@tabler/icons-react';
import { createElement } from 'react';
import { prerender } from 'react-dom/static';
import { describe, expect, it } from 'vitest';
import { ignoring } from '../../../src-main/base/swallowed.ts';
import { PageNotFetched, screen } from '../../../src-renderer/components/screen.ts';

describe('screen', () => {
  it('fetches a page again that could not be fetched', async () => {
    let away = true;
    const page = screen(IconCoin, async () => {
      if (away) throw new TypeError('Failed to fetch dynamically imported module');
      return () => 'earnings';
    });
    await expect(
      prerender(createElement(page.Content), { onError: ignoring('the rejection is looked at') }),
    ).rejects.toThrow(PageNotFetched);
    away = false;
    const { prelude } = await prerender(createElement(page.Content));
    expect(await new Response(prelude).text()).toContain('earnings');
  });
});
