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
await speak('system');
void connection.open();

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
