import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { connection } from './api/connection.ts';
import { queryClient } from './api/query-client.ts';
import { fetchOpenPage } from './app/pages.ts';
import { Root } from './app/Root.tsx';
import { i18n, speak } from './i18n/i18n.ts';
import { cssVariables, theme } from './theme.ts';

/** The page's Content-Security-Policy lets only elements with its nonce carry styles. */
const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
// The lock that keeps a page from scrolling behind a dialog reads it from there (npm get-nonce).
Object.assign(globalThis, { __webpack_nonce__: nonce });

i18n.on('languageChanged', (language) => {
  document.documentElement.lang = language;
});
// Not awaited here: the texts that it fetches import from this file's own chunk, which would wait for them.
void Promise.all([speak('system'), styles()]).then(draw);
void connection.open();
fetchOpenPage();

/** Waits for the styles, which hold up no painting of the frame: see `stylesBehindFrame` in electron.vite.config.ts. */
async function styles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][media="print"]')];
  for (const link of links) {
    if (!link.sheet) await new Promise((come) => link.addEventListener('load', come)); // one that fails leaves an empty page: see index.html
    link.media = 'all';
  }
}

function draw(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root.');
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <I18nextProvider i18n={i18n}>
          <QueryClientProvider client={queryClient}>
            <Notifications position="bottom-right" />
            <Root />
          </QueryClientProvider>
        </I18nextProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
